import { number } from "../lib/format";

export type Pattern = "solid" | "lines" | "dots" | "cross" | "hollow";

export interface BarProps {
  value: number;
  of: number;
  /** What is measured. */
  label: string;
  pattern?: Pattern;
  /** The numbers as they are read; without it "value of of". */
  text?: string;
  /** A place that is marked, on the same scale. */
  mark?: number;
  /** Only the bar: what stands beside it says the rest. */
  bare?: boolean;
}

/** A bar in proportion, with its numbers in words beside it. */
export function Bar({ value, of, label, pattern = "solid", text, mark, bare }: BarProps) {
  const share = of > 0 ? Math.max(0, Math.min(1, value / of)) : 0;
  const words = text ?? `${number(value)} of ${number(of)}`;
  return (
    <div class="bar" role="img" aria-label={`${label}: ${words}`}>
      {!bare && (
        <div class="bar-words" aria-hidden="true">
          <span>{label}</span>
          <span class="numbers">{words}</span>
        </div>
      )}
      <div class="bar-track">
        {share > 0 && <div class={`bar-fill pattern-${pattern}`} style={{ width: `${share * 100}%` }} />}
        {mark !== undefined && of > 0 && <div class="bar-mark" style={{ left: `${Math.min(100, (mark / of) * 100)}%` }} />}
      </div>
    </div>
  );
}
