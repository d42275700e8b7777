import { useEffect, useState } from "preact/hooks";

/** The shape of what will come, after 120 ms; never a spinner. */
export function Waiting({ rows = 6, height = 56 }: { rows?: number; height?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 120);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={`waiting${late ? " late" : ""}`} role="status" aria-label="waiting">
      {Array.from({ length: rows }, (_, at) => (
        <div class="bone" key={at} style={{ height: `${height - 8}px`, width: `${100 - ((at * 37) % 23)}%` }} />
      ))}
    </div>
  );
}
