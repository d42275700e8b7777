// What a page asks the daemon first, by its address. Pure.

import type { Query, Route } from "./address";
import { isoDay } from "./format";

export const LISTS = ["scope", "kind", "tier", "status"] as const;
export const FLAGS = ["archived", "literal", "timeline"] as const;
export const WORDS = ["tag", "domain"] as const;
export const GROUPED = ["flat", "scope", "kind", "session"] as const;
export type Grouped = (typeof GROUPED)[number];
export const DAY = 86400e3;
const PAGE = 50;

const SESSION = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The session that an address names; what is no identifier counts as not given. */
export function sessionIn(query: URLSearchParams): string | undefined {
  const named = query.get("session");
  return named !== null && SESSION.test(named) ? named : undefined;
}

/** A day of the calendar, written in full; anything else counts as not given. */
export function dayOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isoDay(new Date(`${text}T00:00`)) === text ? text : "";
}

/** The day so many days later. Days are counted by the calendar: where clocks are put forward or back, one is no 24 hours. */
export function dayLater(text: string, by: number): string {
  const at = new Date(`${text}T00:00`);
  at.setDate(at.getDate() + by);
  return isoDay(at);
}

/** Whether somebody who types a day has come to its end: each digit on the way there is another day. */
export const isWithin = (text: string, first: string, last: string): boolean => dayOf(text) !== "" && text >= first && text <= last;

/** What is asked for, as the address says it. */
export function askedBy(query: URLSearchParams) {
  const list = (name: string) => (query.get(name) ?? "").split(",").filter(Boolean);
  const by = (query.get("by") ?? "flat") as Grouped;
  return {
    q: query.get("q") ?? "",
    lists: Object.fromEntries(LISTS.map((name) => [name, list(name)])) as Record<(typeof LISTS)[number], string[]>,
    flags: Object.fromEntries(FLAGS.map((name) => [name, query.get(name) === "true"])) as Record<(typeof FLAGS)[number], boolean>,
    words: Object.fromEntries(WORDS.map((name) => [name, query.get(name) ?? ""])) as Record<(typeof WORDS)[number], string>,
    asOf: dayOf(query.get("as_of") ?? ""),
    session: sessionIn(query) ?? "",
    before: query.get("before") ?? "",
    by: GROUPED.includes(by) ? by : ("flat" as Grouped),
  };
}

/** The end of a day, where whoever looks is. */
const endOf = (text: string): string => new Date(new Date(`${dayLater(text, 1)}T00:00`).getTime() - 1).toISOString();

/** What the daemon is asked for it: an answer to a question, or else the newest. */
export function questionOf({ q, lists, flags, words, asOf, before, session }: Asked): [path: string, query: Query] {
  const of = lists.scope.includes("session") ? session : undefined;
  const shared = { scope: lists.scope, kind: lists.kind, tier: lists.tier, tag: words.tag, domain: words.domain, session: of, limit: PAGE };
  return q ? ["/recall", { q, ...shared, ...flags, as_of: asOf ? endOf(asOf) : undefined }] : ["/memories", { ...shared, status: lists.status, before }];
}

export type Asked = ReturnType<typeof askedBy>;

/** How much of the feed is asked for. */
export const FEED: [path: string, query: Query] = ["/activity", { limit: 50 }];

/** What the page at this address shows first. None: nothing that is worth a wait. */
export function firstOf({ path, query }: Route): [path: string, query: Query] | undefined {
  return path.length === 0 ? FEED : path[0] === "search" ? questionOf(askedBy(query)) : undefined;
}
