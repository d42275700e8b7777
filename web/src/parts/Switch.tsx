/** Where a screen is too narrow for two columns, which of them is shown. Not there on a wide one. */
export function Switch({ of, on, choose }: { of: string[]; on: number; choose: (at: number) => void }) {
  return (
    <div class="switch" role="group" aria-label="show">
      {of.map((name, at) => (
        <button type="button" key={name} aria-pressed={on === at} onClick={() => choose(at)}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** One of several, side by side, on every screen. */
export function Choice<T extends string>({ label, of, value, choose, words = (one) => one }: { label: string; of: readonly T[]; value: T; choose: (value: T) => void; words?: (value: T) => string }) {
  return (
    <div class="choice-of" role="group" aria-label={label}>
      {of.map((one) => (
        <button type="button" key={one} aria-pressed={value === one} onClick={() => choose(one)}>
          {words(one)}
        </button>
      ))}
    </div>
  );
}
