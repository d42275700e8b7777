// What a page asks the daemon first, by its address. Pure.

import type { Query, Route } from "./address";

export const LISTS = ["scope", "kind", "tier", "status"] as const;
export const FLAGS = ["archived", "literal", "timeline"] as const;
export const WORDS = ["tag", "domain"] as const;
export const GROUPED = ["flat", "scope", "kind", "session"] as const;
export type Grouped = (typeof GROUPED)[number];
export const DAY = 86400e3;
const PAGE = 50;

/** What is asked for, as the address says it. */
export function askedBy(query: URLSearchParams) {
  const list = (name: string) => (query.get(name) ?? "").split(",").filter(Boolean);
  const by = (query.get("by") ?? "flat") as Grouped;
  return {
    q: query.get("q") ?? "",
    lists: Object.fromEntries(LISTS.map((name) => [name, list(name)])) as Record<(typeof LISTS)[number], string[]>,
    flags: Object.fromEntries(FLAGS.map((name) => [name, query.get(name) === "true"])) as Record<(typeof FLAGS)[number], boolean>,
    words: Object.fromEntries(WORDS.map((name) => [name, query.get(name) ?? ""])) as Record<(typeof WORDS)[number], string>,
    asOf: query.get("as_of") ?? "",
    before: query.get("before") ?? "",
    by: GROUPED.includes(by) ? by : ("flat" as Grouped),
  };
}

/** The end of a day, where whoever looks is. */
const endOf = (text: string): string => new Date(new Date(`${text}T00:00`).getTime() + DAY - 1).toISOString();

/** What the daemon is asked for it: an answer to a question, or else the newest. */
export function questionOf({ q, lists, flags, words, asOf, before }: Asked): [path: string, query: Query] {
  const shared = { scope: lists.scope, kind: lists.kind, tier: lists.tier, tag: words.tag, domain: words.domain, limit: PAGE };
  return q ? ["/recall", { q, ...shared, ...flags, as_of: asOf ? endOf(asOf) : undefined }] : ["/memories", { ...shared, status: lists.status, before }];
}

export type Asked = ReturnType<typeof askedBy>;

/** How much of the feed is asked for. */
export const FEED: [path: string, query: Query] = ["/activity", { limit: 50 }];

/** What the page at this address shows first. None: nothing that is worth a wait. */
export function firstOf({ path, query }: Route): [path: string, query: Query] | undefined {
  return path.length === 0 ? FEED : path[0] === "search" ? questionOf(askedBy(query)) : undefined;
}
