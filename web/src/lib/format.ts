// Numbers, times and sizes as people read them. Knows no page.

const MINUTE = 60e3, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Thousands with commas; at most `places` after the point, and a leading zero. */
export function number(value: number, places = 0): string {
  // Not by toLocaleString: its first call costs more than the rest of a page.
  const [whole, rest] = String(Number(value.toFixed(places))).split(".");
  return whole!.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? `.${rest}` : "");
}

/** A number between zero and one as engram writes it: .44, 1.00. */
export function share(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return (value < 0 ? "−" : "") + (text.startsWith("0") ? text.slice(1) : text);
}

export function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

/** As the commands write it. */
export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

export function milliseconds(value: number): string {
  if (value < 1) return `${value.toFixed(2)} ms`;
  if (value < 10) return `${value.toFixed(1)} ms`;
  if (value < 1000) return `${Math.round(value)} ms`;
  return `${(value / 1000).toFixed(1)} s`;
}

/** "2 days", without saying of what. */
export function span(length: number): string {
  const of = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const size = Math.abs(length);
  if (size < MINUTE) return of(Math.max(1, Math.round(size / 1e3)), "second");
  if (size < HOUR) return of(Math.round(size / MINUTE), "minute");
  if (size < DAY) return of(Math.round(size / HOUR), "hour");
  if (size < 60 * DAY) return of(Math.round(size / DAY), "day");
  if (size < 700 * DAY) return of(Math.round(size / (30.4 * DAY)), "month");
  return of(Math.round(size / (365.25 * DAY)), "year");
}

/** "3 days ago", "in 2 hours", "just now". */
export function age(at: string, now: number = Date.now()): string {
  const gone = now - Date.parse(at);
  if (Math.abs(gone) < 10e3) return "just now";
  return gone > 0 ? `${span(gone)} ago` : `in ${span(gone)}`;
}

const two = (value: number) => String(value).padStart(2, "0");

/** 10:02:11 in the zone of whoever looks. */
export function clock(at: string, seconds = true): string {
  const time = new Date(at);
  return `${two(time.getHours())}:${two(time.getMinutes())}${seconds ? `:${two(time.getSeconds())}` : ""}`;
}

/** 3 May, or 3 May 2025 where it is another year than now. */
export function day(at: string | Date, now: Date = new Date()): string {
  const time = typeof at === "string" ? new Date(at.length === 10 ? `${at}T00:00` : at) : at;
  const year = time.getFullYear() === now.getFullYear() ? "" : ` ${time.getFullYear()}`;
  return `${time.getDate()} ${MONTHS[time.getMonth()]}${year}`;
}

/** Mon 3 May, or Today and Yesterday. */
export function dayName(at: string | Date, now: Date = new Date()): string {
  const time = typeof at === "string" ? new Date(at.length === 10 ? `${at}T00:00` : at) : at;
  const before = Math.round((midnight(now) - midnight(time)) / DAY);
  if (before === 0) return "Today";
  if (before === 1) return "Yesterday";
  return `${WEEKDAYS[time.getDay()]} ${day(time, now)}`;
}

const midnight = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();

/** 3 May, 10:02: for a moment that is named in full. */
export function moment(at: string): string {
  return `${day(at)}, ${clock(at, false)}`;
}

/** 2026-05-03 in the zone of whoever looks, as a date field wants it. */
export function isoDay(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}
