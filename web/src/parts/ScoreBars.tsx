import type { Why } from "../shapes";
import { share } from "../lib/format";
import { said, signal } from "../lib/words";

const PATTERNS = ["solid", "lines", "dots", "cross", "hollow"] as const;
const ORDER = ["words", "table", "model", "part", "graph", "time", "recency", "utility"];

/** Which filling a signal has, the same on every hit. */
function patternOf(name: string): string {
  const at = ORDER.indexOf(name);
  return `${PATTERNS[(at < 0 ? ORDER.length : at) % PATTERNS.length]} hue-${(at < 0 ? ORDER.length : at) % 6}`;
}

/**
 * The score as one bar, `top` being the whole width: a segment for every factor,
 * what takes away to the left; below it the same as a sum.
 */
export function ScoreBars({ why, top, open = false }: { why: Why; top: number; open?: boolean }) {
  const plus = why.factors.filter(({ adds }) => adds > 0);
  const minus = why.factors.filter(({ adds }) => adds < 0);
  const size = Math.max(top, 1e-9);
  // The segments are what remains after the scope's weight, so that they end at the score.
  const width = (adds: number) => `${Math.min(100, (Math.abs(adds) * why.scope_weight * 100) / size)}%`;
  const sum = why.factors.map(({ signal: name, adds }, at) => `${at ? (adds < 0 ? " − " : " + ") : adds < 0 ? "−" : ""}${said(name)} ${share(Math.abs(adds))}`).join("");
  const words = `${why.factors.length > 1 ? `(${sum})` : sum || "nothing added"} × ${share(why.scope_weight)} ${why.scope} = ${share(why.score)}`;
  const terms = why.text.terms;
  const whole = terms.reduce((all, [, value]) => all + value, 0);
  return (
    <div class="score">
      <div class="score-line" role="img" aria-label={`score ${share(why.score)}: ${words}`}>
        {minus.length > 0 && (
          <div class="score-minus">
            {minus.map((factor) => (
              <span key={factor.signal} class={`seg pattern-${patternOf(factor.signal)}`} style={{ width: width(factor.adds) }} title={`${said(factor.signal)} ${share(factor.adds)}`} />
            ))}
          </div>
        )}
        <div class="score-plus">
          {plus.map((factor) => (
            <span key={factor.signal} class={`seg pattern-${patternOf(factor.signal)}`} style={{ width: width(factor.adds) }} title={`${said(factor.signal)} ${share(factor.adds)}: ${signal(factor.signal)}`} />
          ))}
        </div>
        <span class="score-number">{share(why.score)}</span>
      </div>
      {open && (
        <div class="score-words">
          <p class="score-sum">{words}</p>
          <ul class="legend">
            {why.factors.map((factor) => (
              <li key={factor.signal}>
                <span class={`swatch pattern-${patternOf(factor.signal)}`} aria-hidden="true" />
                <b>{said(factor.signal)}</b> {share(factor.value)} × {share(factor.weight)} = {share(factor.adds)} <span class="quiet">{signal(factor.signal)}</span>
              </li>
            ))}
            {terms.length > 0 && (
              <li>
                <span class="swatch none" aria-hidden="true" />
                <b>of the words</b>{" "}
                {terms.map(([term, value], at) => (
                  <span key={term}>
                    {at > 0 && ", "}
                    <q>{term}</q> {Math.round((value / (whole || 1)) * 100)} %
                  </span>
                ))}
              </li>
            )}
            {why.by_server && (
              <li>
                <span class="swatch none" aria-hidden="true" />
                <b>found by</b> the index of the team's server
              </li>
            )}
            {why.also_in && why.also_in.length > 0 && (
              <li>
                <span class="swatch none" aria-hidden="true" />
                <b>also in</b> {why.also_in.join(", ")}
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  );
}
