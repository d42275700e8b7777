// The graph on its canvas: pointer, wheel and touch, the worker that lays it
// out, and one picture for each frame in which something changed.

import type { FromLayout, ToLayout } from "./layout";
import { draw, sceneOf, type Colours, type Scene } from "./draw";
import { Grid } from "./hit";
import { THINGS, toPlane, whole, zoomed, type Camera, type Family, type GraphData } from "./shape";

export interface Events {
  chosen(place: number | null): void;
  /** Opened by a second click on what is chosen. */
  opened?(place: number): void;
  hovered?(place: number | null): void;
  settled?(milliseconds: number): void;
}

export interface GraphView {
  /** Another graph. Without places the things start from a spiral. */
  show(data: GraphData, places?: Float32Array): void;
  /** Which nodes and edges are seen; null: all. */
  only(seen: Uint8Array | null, tied: Uint8Array | null): void;
  choose(place: number | null, look?: boolean): void;
  hover(place: number | null): void;
  zoom(by: number): void;
  pan(x: number, y: number): void;
  whole(): void;
  places(): Float32Array;
  /** The colours are others. */
  repaint(): void;
  end(): void;
}

const MOVE = 4;

/** The one script that may be run beside the page: the policy lets no other through. */
function layoutWorker(): Worker {
  const types = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown } } }).trustedTypes;
  policy ??= types?.createPolicy("engram", {
    createScriptURL(url) {
      if (url !== LAYOUT) throw new TypeError(`no script of ours: ${url}`);
      return url;
    },
  });
  return new Worker((policy?.createScriptURL(LAYOUT) ?? LAYOUT) as string, { type: "module" });
}
const LAYOUT = "/layout.js";
let policy: { createScriptURL(url: string): unknown } | undefined;

export function openGraph(canvas: HTMLCanvasElement, events: Events): GraphView {
  const context = canvas.getContext("2d")!;
  const worker = layoutWorker();
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let scene: Scene = sceneOf({ nodes: [], edges: [] }, new Float32Array(0));
  let camera: Camera = { x: 0, y: 0, k: 1 };
  let width = 0, height = 0, scale = 1;
  let colours = colour(canvas);
  let grid: Grid | null = null;
  let number = 0, began = 0;
  /** Until somebody moves the picture, it shows all there is. */
  let following = true;
  /** Before the first places come there is nothing to see, rather than a heap. */
  let blank = false;
  /** While things still move their names would flicker. */
  let laying = false;
  let moving = false;
  let asked = 0;
  let glide: { from: Camera; to: Camera; at: number } | null = null;

  const say = (message: ToLayout, transfer: Transferable[] = []) => worker.postMessage(message, transfer);

  function frame(now: number) {
    asked = 0;
    if (glide) {
      const part = Math.min(1, (now - glide.at) / 260);
      const eased = 1 - Math.pow(1 - part, 3);
      camera = {
        x: glide.from.x + (glide.to.x - glide.from.x) * eased,
        y: glide.from.y + (glide.to.y - glide.from.y) * eased,
        k: glide.from.k * Math.pow(glide.to.k / glide.from.k, eased),
      };
      if (part >= 1) glide = null;
      else again();
    }
    if (blank) return;
    const told = draw(context, scene, camera, colours, width, height, scale, moving, !laying);
    canvas.dataset.drawn = `${told.nodes} ${told.edges} ${told.labels}`;
  }

  function again() {
    if (!asked) asked = requestAnimationFrame(frame);
  }

  // While the picture is dragged or zoomed the faint lines are left out; they
  // come back as soon as it rests.
  let resting: ReturnType<typeof setTimeout> | undefined;
  function moved() {
    moving = scene.weights.length > 3000;
    clearTimeout(resting);
    resting = setTimeout(() => {
      moving = false;
      again();
    }, 140);
    again();
  }

  function look(to: Camera, at = performance.now()) {
    if (calm.matches) {
      camera = to;
      glide = null;
    } else glide = { from: { ...camera }, to, at };
    again();
  }

  function fit() {
    camera = whole(scene.places, scene.seen, width, height);
    glide = null;
  }

  function size() {
    const box = canvas.getBoundingClientRect();
    scale = Math.min(2, devicePixelRatio || 1);
    width = Math.max(1, Math.round(box.width));
    height = Math.max(1, Math.round(box.height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    if (following) fit();
    // A canvas that changed its size is blank: draw before anybody sees that.
    if (asked) cancelAnimationFrame(asked);
    frame(performance.now());
  }

  worker.onmessage = (event: MessageEvent<FromLayout>) => {
    const told = event.data;
    if (told.number !== number || told.places.length !== scene.places.length) return;
    const before = scene.places;
    scene.places = told.places;
    blank = false;
    grid = null;
    if (before.buffer.byteLength > 0 && !told.still) say({ say: "back", places: before }, [before.buffer]);
    if (following) fit();
    if (told.still) {
      laying = false;
      canvas.dataset.layout = "settled";
      events.settled?.(performance.now() - began);
    }
    again();
  };

  function under(event: { clientX: number; clientY: number }, slack: number): number | null {
    const box = canvas.getBoundingClientRect();
    const [x, y] = toPlane(camera, width, height, event.clientX - box.left, event.clientY - box.top);
    grid ??= new Grid(scene.places, scene.radii, scene.seen);
    return grid.at(x, y, camera, slack);
  }

  function hover(place: number | null) {
    if (place === scene.hovered) return;
    scene.hovered = place;
    canvas.style.setProperty("cursor", place === null ? "" : "pointer");
    again();
  }

  // One pointer drags the plane or a node, two pinch.
  const fingers = new Map<number, { x: number; y: number }>();
  let held: number | null = null;
  let start: { x: number; y: number } | null = null;
  let dragged = false;
  let spread = 0;

  const apart = () => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    dragged = fingers.size > 1;
    spread = apart();
    start = { x: event.clientX, y: event.clientY };
    held = fingers.size === 1 ? under(event, event.pointerType === "touch" ? 12 : 4) : null;
  };

  const move = (event: PointerEvent) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) {
      if (event.pointerType !== "touch") {
        const place = under(event, 4);
        if (place !== scene.hovered) {
          hover(place);
          events.hovered?.(place);
        }
      }
      return;
    }
    const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
    if (!dragged && start && Math.hypot(event.clientX - start.x, event.clientY - start.y) < MOVE) return;
    dragged = true;
    finger.x = event.clientX;
    finger.y = event.clientY;
    following = false;
    glide = null;
    const box = canvas.getBoundingClientRect();
    if (fingers.size === 2) {
      const now = apart();
      const [a, b] = [...fingers.values()];
      if (spread > 0 && now > 0 && a && b) {
        camera = zoomed(camera, width, height, (a.x + b.x) / 2 - box.left, (a.y + b.y) / 2 - box.top, now / spread);
      }
      camera = { ...camera, x: camera.x - dx / 2 / camera.k, y: camera.y - dy / 2 / camera.k };
      spread = now;
      moved();
    } else if (held !== null) {
      const [x, y] = toPlane(camera, width, height, event.clientX - box.left, event.clientY - box.top);
      say({ say: "hold", node: held, x, y });
      laying = false;
      canvas.dataset.layout = "running";
    } else {
      camera = { ...camera, x: camera.x - dx / camera.k, y: camera.y - dy / camera.k };
      moved();
    }
  };

  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    if (held !== null && dragged) say({ say: "free", node: held });
    if (!dragged && event.type === "pointerup") {
      if (held !== null && held === scene.chosen) events.opened?.(held);
      else {
        scene.chosen = held;
        events.chosen(held);
      }
      again();
    }
    held = null;
    start = null;
  };

  const leave = () => {
    hover(null);
    events.hovered?.(null);
  };

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    following = false;
    glide = null;
    const box = canvas.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const by = Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0022);
    camera = zoomed(camera, width, height, event.clientX - box.left, event.clientY - box.top, by);
    moved();
  };

  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("wheel", wheel, { passive: false });
  const watching = new ResizeObserver(size);
  watching.observe(canvas);

  return {
    show(data, places) {
      number++;
      began = performance.now();
      scene = sceneOf(data, places ? places.slice() : new Float32Array(data.nodes.length * 2));
      grid = null;
      following = true;
      blank = !places && data.nodes.length > 0;
      laying = data.nodes.length > 0;
      canvas.dataset.layout = data.nodes.length ? "running" : "settled";
      const { radii, kinds, ends, weights } = scene;
      say({ say: "lay", number, plan: { radii, kinds, ends, weights, ...(places && { places }) }, quiet: calm.matches });
      if (places) fit();
      again();
    },
    only(seen, tied) {
      scene.seen = seen;
      scene.tied = tied;
      grid = null;
      if (scene.hovered !== null && seen && !seen[scene.hovered]) scene.hovered = null;
      again();
    },
    choose(place, show) {
      scene.chosen = place;
      if (place !== null && show && !blank) {
        following = false;
        const x = scene.places[2 * place] ?? 0, y = scene.places[2 * place + 1] ?? 0;
        look({ x, y, k: Math.max(camera.k, 1.1) });
      }
      again();
    },
    hover,
    zoom(by) {
      following = false;
      look(zoomed(glide?.to ?? camera, width, height, width / 2, height / 2, by));
    },
    pan(x, y) {
      following = false;
      glide = null;
      camera = { ...camera, x: camera.x + x / camera.k, y: camera.y + y / camera.k };
      moved();
    },
    whole() {
      following = true;
      look(whole(scene.places, scene.seen, width, height));
    },
    places: () => scene.places.slice(),
    repaint() {
      colours = colour(canvas);
      again();
    },
    end() {
      if (asked) cancelAnimationFrame(asked);
      clearTimeout(resting);
      watching.disconnect();
      worker.terminate();
      for (const [name, heard] of [["pointerdown", down], ["pointermove", move], ["pointerup", up],
        ["pointercancel", up], ["pointerleave", leave], ["wheel", wheel]] as const) {
        canvas.removeEventListener(name, heard as EventListener);
      }
    },
  };
}

function colour(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  const of = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  const families = {} as Record<Family, string>;
  for (const name of ["needs", "is", "does", "against", "near"] as Family[]) families[name] = of(`--bond-${name}`, "#889");
  return {
    ink: of("--graph-ink", style.color),
    soft: of("--graph-soft", style.color),
    paper: of("--graph-paper", "#fff"),
    accent: of("--graph-accent", "#36c"),
    kinds: THINGS.map((kind) => of(`--thing-${kind}`, "#678")),
    families,
    font: `500 12px ${style.fontFamily}`,
  };
}
