// Keeps the live feed: one stream for the whole window, opened when somebody
// looks, closed when the tab has been hidden for a minute.

import { effect } from "@preact/signals";
import type { Activities, Activity } from "../shapes";
import { api, Problem } from "./api";
import { FEED } from "./question";
import { feed, project, setToken, stream, token } from "./store";
import { EventReader } from "./stream";

/** So many events are kept. */
export const KEEP = 300;
/** A tab that nobody looks at lets the daemon go to sleep. */
const HIDDEN = 60e3;

type Listener = { what: Set<string>; tell: (activity: Activity) => void };
const listeners = new Set<Listener>();

/** Calls back for every event of these kinds; none named: for all. Returns how to stop. */
export function onActivity(what: string[], tell: (activity: Activity) => void): () => void {
  const listener = { what: new Set(what), tell };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Newest first, each once. */
export function joined(older: Activity[], newer: Activity[]): Activity[] {
  const seen = new Set<number>();
  return [...newer, ...older]
    .sort((a, b) => b.number - a.number)
    .filter(({ number }) => !seen.has(number) && seen.add(number))
    .slice(0, KEEP);
}

function take(activity: Activity): void {
  feed.value = joined(feed.value, [activity]);
  for (const { what, tell } of listeners) if (!what.size || what.has(activity.what)) tell(activity);
}

let stop: AbortController | undefined;
let after = "";

async function run(mine: AbortController): Promise<void> {
  let wait = 1000;
  while (!mine.signal.aborted) {
    stream.value = "opening";
    try {
      if (!after) {
        const { activities, latest } = await api.get<Activities>(...FEED, mine.signal);
        feed.value = joined(feed.value, activities);
        after = String(latest);
      }
      const response = await api.stream(after, mine.signal);
      if (response.status === 401) setToken("");
      if (!response.ok || !response.body) throw new Problem(response.status, "no stream");
      stream.value = "open";
      wait = 1000;
      const events = new EventReader();
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        for (const sent of events.push(value)) {
          if (sent.id) after = sent.id;
          take(JSON.parse(sent.data) as Activity);
        }
        wait = events.retry ?? wait;
      }
    } catch {
      if (mine.signal.aborted) return;
    }
    stream.value = "broken";
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(30e3, wait * 2);
  }
}

function open(): void {
  if (stop || !token.value) return;
  stop = new AbortController();
  void run(stop);
}

function close(state: "paused" | "off"): void {
  stop?.abort();
  stop = undefined;
  stream.value = state;
}

/** To be called once. */
export function listen(): void {
  let hidden: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(() => close("paused"), HIDDEN);
    else open();
  });
  // Another project or another key is another feed.
  effect(() => {
    void project.value;
    const has = token.value !== "";
    close("off");
    feed.value = [];
    after = "";
    if (has) open();
  });
}
