// The one place that asks the daemon. Adds the key, the project and the
// operation; turns every failure into a Problem; knows when the daemon sleeps.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { asking, BASE } from "./address";
import { answers, asleep, project, setToken, stale, token, type Query } from "./store";
import { ulid } from "./ulid";
export type { Query } from "./store";

export class Problem extends Error {
  constructor(
    /** 0: nobody answered. */
    readonly status: number,
    readonly detail: string,
    readonly hints: string[] = [],
    readonly kind: string = "unreachable",
  ) {
    super(detail);
  }
}

declare global {
  interface Window {
    /** What was asked before this script was there; see boot.ts. */
    early?: { where: string; reply: Promise<unknown> };
  }
}

const address = (path: string, query: Query): string => asking(path, query, project.value);

/** The reply to the first question, once. None: it was another one, or it went wrong. */
async function early<T>(where: string): Promise<T | undefined> {
  if (window.early?.where !== where) return;
  const { reply } = window.early;
  delete window.early;
  return (await reply) as T | undefined;
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const said = await response.json();
    return new Problem(response.status, said.detail ?? said.title ?? response.statusText, said.hints ?? [], said.kind ?? "internal");
  } catch {
    return new Problem(response.status, `The daemon answered ${response.status} ${response.statusText}`.trim(), [], "internal");
  }
}

async function ask<T>(method: string, where: string, body: unknown, signal?: AbortSignal, key = token.value): Promise<T> {
  const known = method === "GET" ? await early<T>(where) : undefined;
  if (known !== undefined) return known;
  let response: Response;
  try {
    response = await fetch(where, {
      method, signal, cache: "no-store", credentials: "omit",
      headers: { ...(key ? { Authorization: `Bearer ${key}` } : {}), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (problem) {
    if (signal?.aborted) throw problem;
    fallAsleep();
    throw new Problem(0, "engramd does not answer", ["engram ui"]);
  }
  wake();
  if (response.ok) return (await response.json()) as T;
  const problem = await problemOf(response);
  if (response.status === 401 && key === token.value) setToken("");
  throw problem;
}

export const api = {
  get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    return ask<T>("GET", address(path, query), undefined, signal);
  },

  /**
   * Changes something: names the operation itself, so that a second try is safe.
   * `done` is called before what is shown is asked for again; `query` names a
   * session, or another project than the one that is shown.
   */
  async change<T>(method: "POST" | "PUT" | "PATCH", path: string, body: Record<string, unknown> = {}, query: Query = {}, done?: (reply: T) => void): Promise<T> {
    const whole = { operation: ulid(), ...body };
    const where = address(path, query);
    let reply: T;
    try {
      reply = await ask<T>(method, where, whole);
    } catch (problem) {
      if (!(problem instanceof Problem) || ![0, 503].includes(problem.status)) throw problem;
      await new Promise((done) => setTimeout(done, 700));
      reply = await ask<T>(method, where, whole);
    }
    done?.(reply);
    stale.value++;
    return reply;
  },

  /** Trades the ticket of `engram ui` for a key. */
  admit<T>(ticket: string): Promise<T> {
    return ask<T>("POST", `${BASE}/tickets`, { ticket }, undefined, "");
  },

  /** Whether a key is right, without keeping it. */
  try<T>(key: string): Promise<T> {
    return ask<T>("GET", BASE, undefined, undefined, key);
  },

  /** The live feed, from after the event of this number. */
  async stream(after: string, signal: AbortSignal): Promise<Response> {
    const headers = { Authorization: `Bearer ${token.value}`, Accept: "text/event-stream", ...(after ? { "Last-Event-ID": after } : {}) };
    try {
      const response = await fetch(address("/activity/stream", {}), { signal, cache: "no-store", credentials: "omit", headers });
      wake();
      return response;
    } catch (problem) {
      // Whoever only looks asks nothing else: this is how he hears of it.
      if (!signal.aborted) fallAsleep();
      throw problem;
    }
  },
};

let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** After 1, 2, 4, 8 … 30 seconds somebody looks whether the daemon is there. */
function fallAsleep(): void {
  if (timer) return;
  const wait = Math.min(30, 2 ** tries++) * 1000;
  asleep.value = { nextAt: Date.now() + wait };
  timer = setTimeout(tryAgain, wait);
}

export function tryAgain(): void {
  clearTimeout(timer);
  timer = undefined;
  fetch(`${BASE}/openapi.json`, { method: "HEAD", cache: "no-store", credentials: "omit" }).then(wake, fallAsleep);
}

function wake(): void {
  tries = 0;
  if (!asleep.value) return;
  clearTimeout(timer);
  timer = undefined;
  asleep.value = undefined;
  stale.value++;
}

/** Settles when the first question is answered, whatever the answer is. None was asked: at once. */
export const answered = (): Promise<unknown> => Promise.resolve(window.early?.reply);

export interface Answer<T> {
  data?: T;
  /** When the data came. */
  at?: number;
  problem?: Problem;
  waiting: boolean;
  again(): void;
}

/**
 * Asks when the page is shown, when path or query change, and when something
 * was changed. The old data stays until the new is there. No path: asks nothing.
 */
export function useAnswer<T>(path: string | undefined, query: Query = {}): Answer<T> {
  const where = path === undefined ? "" : address(path, query);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ where: string; data?: T; at?: number; problem?: Problem; waiting: boolean }>({ where: "", waiting: true });
  // Of another path or project nothing is kept: the old memory is not the new one.
  const of = `${project.value} ${path}`;
  const before = useRef<{ of?: string; data?: T; at?: number }>({});
  const version = stale.value;

  // Before the paint, not after it: the answer is what is waited for.
  useLayoutEffect(() => {
    if (!where) return;
    const stop = new AbortController();
    setState((old) => ({ where, ...(old.where === where ? { data: old.data, at: old.at } : {}), waiting: true }));
    ask<T>("GET", where, undefined, stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return;
        const at = Date.now();
        answers.delete(where);
        answers.set(where, { data, at });
        if (answers.size > 60) answers.delete(answers.keys().next().value as string);
        setState({ where, data, at, waiting: false });
      },
      (problem) => {
        if (stop.signal.aborted) return;
        const told = problem instanceof Problem ? problem : new Problem(0, String(problem));
        setState((old) => ({ where, ...(old.where === where ? { data: old.data, at: old.at } : {}), problem: told, waiting: false }));
      },
    );
    return () => stop.abort();
  }, [where, round, version]);

  const again = () => setRound((old) => old + 1);
  if (!where) return { waiting: false, again };
  const mine = state.where === where && state.data !== undefined ? state : undefined;
  const { data, at } = mine ?? (answers.get(where) as { data: T; at: number } | undefined) ?? (before.current.of === of ? before.current : {});
  before.current = { of, data, at };
  return { data, at, problem: state.where === where ? state.problem : undefined, waiting: state.where !== where || state.waiting, again };
}
