import { useEffect, useRef, useState } from "preact/hooks";
import type { CurveOf } from "../shapes";
import { age, day, percent } from "../lib/format";
import { said } from "../lib/words";

const HIGH = 220, LEFT = 40, RIGHT = 12, TOP = 12, BOTTOM = 26;

/** The retention at a moment, between the two points around it. */
export function retentionAt(points: CurveOf["points"], at: number): number {
  const next = points.findIndex((point) => Date.parse(point.at) >= at);
  if (next < 0) return points.at(-1)?.retention ?? 0;
  if (next === 0) return points[0].retention;
  const [a, b] = [points[next - 1], points[next]];
  const [from, to] = [Date.parse(a.at), Date.parse(b.at)];
  return to === from ? b.retention : a.retention + ((at - from) / (to - from)) * (b.retention - a.retention);
}

/** How a memory fades: the past solid, the future dashed, uses as ticks, thresholds as labelled lines. */
export function Curve({ curve }: { curve: CurveOf }) {
  const { points, thresholds, uses } = curve;
  const [read, setRead] = useState<number | undefined>(undefined);
  // Drawn in the pixels there are, so that its words are as large as all others.
  const [WIDE, setWide] = useState(640);
  const figure = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!figure.current) return;
    const watch = new ResizeObserver(([entry]) => setWide(Math.max(240, Math.round(entry.contentRect.width))));
    watch.observe(figure.current);
    return () => watch.disconnect();
  }, []);
  if (points.length < 2) return <p class="quiet">There is no curve to draw yet.</p>;
  const from = Date.parse(points[0].at), to = Date.parse(points[points.length - 1].at), now = Date.parse(curve.at);
  const least = Math.min(...points.map(({ retention }) => retention), ...thresholds.map(({ retention }) => retention));
  const bottom = Math.max(0, Math.floor((least - 0.08) * 10) / 10);
  const x = (at: number) => LEFT + ((at - from) / Math.max(1, to - from)) * (WIDE - LEFT - RIGHT);
  const y = (retention: number) => TOP + ((1 - retention) / (1 - bottom)) * (HIGH - TOP - BOTTOM);
  const line = (part: typeof points) => part.map((point, at) => `${at ? "L" : "M"}${x(Date.parse(point.at)).toFixed(1)} ${y(point.retention).toFixed(1)}`).join("");
  const nowPoint = { at: curve.at, retention: curve.retention };
  const past = [...points.filter((point) => Date.parse(point.at) < now), nowPoint];
  const future = [nowPoint, ...points.filter((point) => Date.parse(point.at) > now)];
  const cursor = read ?? now;
  const held = read === undefined ? curve.retention : retentionAt(points, read);
  const step = (to - from) / 60;
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -step, ArrowRight: step, Home: from - cursor, End: to - cursor }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setRead(Math.max(from, Math.min(to, cursor + by)));
  };
  const grid = Array.from({ length: Math.round((1 - bottom) / 0.1) + 1 }, (_, at) => 1 - at / 10).filter((_, at, all) => all.length <= 6 || at % 2 === 0);
  const words = `${read === undefined ? "now" : day(new Date(cursor).toISOString())}: ${percent(held)} left`;
  return (
    <figure class="curve" ref={figure}>
      <svg
        viewBox={`0 0 ${WIDE} ${HIGH}`}
        height={HIGH}
        role="slider"
        tabIndex={0}
        aria-label="how this memory fades"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(held * 100)}
        aria-valuetext={words}
        onKeyDown={move}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const share = (((event.clientX - box.left) / box.width) * WIDE - LEFT) / (WIDE - LEFT - RIGHT);
          setRead(from + Math.max(0, Math.min(1, share)) * (to - from));
        }}
        onPointerLeave={() => setRead(undefined)}
      >
        {grid.map((value) => (
          <g key={value} class="grid">
            <line x1={LEFT} x2={WIDE - RIGHT} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">{Math.round(value * 100)} %</text>
          </g>
        ))}
        {thresholds.map(({ what, retention }, at) => (
          <g key={what} class={`threshold t${at}`}>
            <line x1={LEFT} x2={WIDE - RIGHT} y1={y(retention)} y2={y(retention)} />
            <text x={WIDE - RIGHT - 4} y={y(retention) - 4} text-anchor="end">{said(what)}</text>
          </g>
        ))}
        <path class="past" d={line(past)} />
        <path class="future" d={line(future)} />
        {uses.map((use) => (
          <line key={use} class="use" x1={x(Date.parse(use))} x2={x(Date.parse(use))} y1={HIGH - BOTTOM - 9} y2={HIGH - BOTTOM} />
        ))}
        <line class="axis" x1={LEFT} x2={WIDE - RIGHT} y1={HIGH - BOTTOM} y2={HIGH - BOTTOM} />
        <line class="now" x1={x(now)} x2={x(now)} y1={TOP} y2={HIGH - BOTTOM} />
        <text class="tick" x={LEFT} y={HIGH - 8}>{day(points[0].at)}</text>
        {x(now) > LEFT + 70 && x(now) < WIDE - 90 && <text class="tick" x={x(now)} y={HIGH - 8} text-anchor="middle">now</text>}
        <text class="tick" x={WIDE - RIGHT} y={HIGH - 8} text-anchor="end">{day(points[points.length - 1].at)}</text>
        <circle class="reading" cx={x(cursor)} cy={y(held)} r="5" />
      </svg>
      <figcaption>
        <b>{words}</b>
        <span class="quiet"> · {said(curve.model)} · shown {uses.length === 1 ? "once" : `${uses.length} times`}</span>
      </figcaption>
      <dl class="facts">
        {thresholds.map(({ what, retention, reached_at }) => (
          <div key={what}>
            <dt>{said(what)} at {percent(retention)}</dt>
            <dd>{reached_at ? `${day(reached_at)}, ${age(reached_at)}` : "never by itself"}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
