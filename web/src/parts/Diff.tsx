import { differ } from "../lib/diff";

/** Two texts, one after the other word by word: what went is struck, what came is underlined. */
export function Diff({ older, newer, show = "both" }: { older: string; newer: string; show?: "both" | "older" | "newer" }) {
  const parts = differ(older, newer).filter(({ side }) => side === "same" || show === "both" || side === show);
  return (
    <p class="diff">
      {parts.map(({ side, text }, at) =>
        side === "same" ? (
          <span key={at}>{text}</span>
        ) : side === "older" ? (
          <del key={at}>{text}</del>
        ) : (
          <ins key={at}>{text}</ins>
        ),
      )}
    </p>
  );
}
