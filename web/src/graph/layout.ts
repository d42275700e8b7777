// The worker in which the layout runs, so that no frame waits for it. Places
// go out as one array for each picture, at most thirty a second.

import { layout, type Layout, type Plan } from "./force";

export type ToLayout =
  | { say: "lay"; number: number; plan: Plan; quiet: boolean }
  | { say: "hold"; node: number; x: number; y: number }
  | { say: "free"; node: number }
  | { say: "back"; places: Float32Array };

export interface FromLayout {
  number: number;
  places: Float32Array;
  still: boolean;
  /** What one step takes, in milliseconds. */
  step: number;
}

const EVERY = 33;
/** So long the worker computes before it looks whether somebody says something. */
const STRETCH = 12;

let running: Layout | undefined;
let number = 0;
let quiet = false;
let spare: Float32Array | undefined;
let sent = 0;
let timer = false;

function send(still: boolean, step: number) {
  if (!running) return;
  const places = running.places(spare);
  spare = undefined;
  sent = performance.now();
  const message: FromLayout = { number, places, still, step };
  postMessage(message, { transfer: [places.buffer] });
}

function work() {
  timer = false;
  if (!running) return;
  const from = performance.now();
  let moves = true, ticks = 0;
  do {
    moves = running.tick();
    ticks++;
  } while (moves && performance.now() - from < STRETCH);
  const step = (performance.now() - from) / ticks;
  if (!moves) send(true, step);
  else {
    if (!quiet && performance.now() - sent >= EVERY) send(false, step);
    go();
  }
}

function go() {
  if (timer) return;
  timer = true;
  setTimeout(work, 0);
}

onmessage = (event: MessageEvent<ToLayout>) => {
  const said = event.data;
  if (said.say === "lay") {
    number = said.number;
    quiet = said.quiet;
    running = layout(said.plan);
    spare = undefined;
    sent = 0;
    go();
  } else if (said.say === "hold") {
    running?.hold(said.node, said.x, said.y);
    go();
  } else if (said.say === "free") {
    running?.free(said.node);
    go();
  } else if (said.places.length > 0) {
    spare = said.places;
  }
};
