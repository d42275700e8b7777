import { number } from "../lib/format";

export interface SparkPoint { label: string; value: number }

/** Small columns, oldest at the left; the same numbers are in a table for who cannot see them. */
export function Spark({ points, label, height = 40, table = true }: { points: SparkPoint[]; label: string; height?: number; table?: boolean }) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const wide = Math.max(1, points.length);
  const total = points.reduce((sum, { value }) => sum + value, 0);
  return (
    <figure class="spark">
      <svg viewBox={`0 0 ${wide * 4} ${height}`} preserveAspectRatio="none" height={height} role="img" aria-label={`${label}: ${number(total)} in all, at most ${number(most)}`}>
        <line x1="0" x2={wide * 4} y1={height - 0.5} y2={height - 0.5} class="axis" />
        {points.map(({ label: name, value }, at) => (
          <rect key={name} x={at * 4 + 0.5} width="3" y={height - Math.max(value ? 2 : 0, (value / most) * (height - 2))} height={Math.max(value ? 2 : 0, (value / most) * (height - 2))}>
            <title>{`${name}: ${number(value)}`}</title>
          </rect>
        ))}
      </svg>
      {table && (
        <details class="numbers-of">
          <summary>{label}: the numbers</summary>
          <table>
            <tbody>
              {points.filter(({ value }) => value > 0).map(({ label: name, value }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td class="number">{number(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </figure>
  );
}
