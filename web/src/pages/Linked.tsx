import { memoryHref } from "../lib/store";
import { shortId } from "../lib/ulid";

/** A sentence of the daemon's; the identifiers in it lead to what they name. */
export function Linked({ text }: { text: string }) {
  const parts = text.split(/\b([0-7][0-9A-HJKMNP-TV-Z]{25})\b/);
  return <>{parts.map((part, at) => (at % 2 ? <a key={at} href={memoryHref(part)}>{shortId(part)}</a> : part))}</>;
}
