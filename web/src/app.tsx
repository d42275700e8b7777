// The shell: the way between pages, the head, the keys that work everywhere.

import { Component, render, type ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { effect } from "@preact/signals";
import { answered, api, Problem, tryAgain, useAnswer } from "./lib/api";
import { comeBack, inRow, isTyping, listed, moveRow, useKeys, watchKeys } from "./lib/keys";
import { listen } from "./lib/live";
import { asleep, go, href, lastMemory, parseRoute, project, readOnly, route, served, setProject, setToken, stale, token, type Route } from "./lib/store";
import { nextTheme, theme } from "./lib/theme";
import type { Admitted, Projects, WindowReply } from "./shapes";
import { Copy } from "./parts/Copy";
import { Dialog } from "./parts/Dialog";
import { Icon, Mark } from "./parts/icons";
import { Page } from "./parts/Page";
import { Toasts, toast, undoLast } from "./parts/Toast";
import { Trouble } from "./parts/Trouble";
import { Dream } from "./pages/Dream";
import { Evolution } from "./pages/Evolution";
import { Graph } from "./pages/Graph";
import { Key } from "./pages/Key";
import { Lost } from "./pages/Lost";
import { Memory } from "./pages/Memory";
import { Now } from "./pages/Now";
import { Review } from "./pages/Review";
import { Search } from "./pages/Search";
import { Settings } from "./pages/Settings";
import { Stores } from "./pages/Stores";
import { Timeline } from "./pages/Timeline";

interface PageOf { path: string; name: string; icon: string; key: string; view: () => preact.JSX.Element; /** In the bar of a narrow screen. */ first?: boolean }

const PAGES: PageOf[] = [
  { path: "", name: "Now", icon: "now", key: "n", view: Now, first: true },
  { path: "search", name: "Search", icon: "search", key: "s", view: Search, first: true },
  { path: "memory", name: "Memory", icon: "memory", key: "m", view: Memory },
  { path: "graph", name: "Graph", icon: "graph", key: "g", view: Graph },
  { path: "timeline", name: "Timeline", icon: "timeline", key: "t", view: Timeline, first: true },
  { path: "dream", name: "Dream", icon: "dream", key: "d", view: Dream },
  { path: "review", name: "Review", icon: "review", key: "r", view: Review, first: true },
  { path: "evolution", name: "Evolution", icon: "evolution", key: "e", view: Evolution },
  { path: "stores", name: "Stores", icon: "stores", key: "o", view: Stores },
  { path: "settings", name: "Settings", icon: "settings", key: ",", view: Settings },
];

function address(page: PageOf): string {
  return page.path === "memory" && lastMemory.value ? lastMemory.value : href(page.path);
}

function Ways({ narrow }: { narrow?: boolean }) {
  const [more, setMore] = useState(false);
  const here = route.value.path[0] ?? "";
  const shown = narrow ? PAGES.filter((page) => page.first) : PAGES;
  useEffect(() => setMore(false), [route.value]);
  const link = (page: PageOf) => (
    <a key={page.path} href={address(page)} aria-current={here === page.path ? "page" : undefined} title={narrow ? undefined : `${page.name} (g ${page.key})`}>
      <Icon name={page.icon} />
      <span>{page.name}</span>
    </a>
  );
  return (
    <nav class={narrow ? "ways narrow" : "ways"} aria-label={narrow ? "pages, in short" : "pages"}>
      {!narrow && (
        <a class="brand" href="#/" aria-label="engram, to Now">
          <Mark size={24} />
          <span>engram</span>
        </a>
      )}
      {shown.map(link)}
      {narrow && (
        <button type="button" aria-expanded={more} aria-current={PAGES.some((page) => !page.first && page.path === here) ? "page" : undefined} onClick={() => setMore(!more)}>
          <Icon name="more" />
          <span>More</span>
        </button>
      )}
      {narrow && more && <div class="ways-more">{PAGES.filter((page) => !page.first).map(link)}</div>}
    </nav>
  );
}

function Head({ projects, help }: { projects: () => void; help: () => void }) {
  const { data } = useAnswer<Projects>("/projects");
  // Which projects there are is the same in each of them.
  const known = useRef<Projects>(undefined);
  known.current = data ?? known.current;
  const found = known.current?.projects.find(({ key }) => key === project.value);
  const name = project.value ? (found?.name ?? "…") : "only you";
  return (
    <header class="head">
      <button type="button" class="project" onClick={projects} title="choose a project (.)">
        <Icon name="folder" size={16} />
        <span class="unseen">project: </span>
        <span class="project-name">{name}</span>
        <Icon name="down" size={12} />
      </button>
      <div class="head-right">
        {readOnly.value && <span class="word tone-doubt" title="this key may look and change nothing">read only</span>}
        <button type="button" class="plain" onClick={() => toast(`Theme: ${nextTheme()}`)} aria-label={`theme: ${theme.value}; change it`} title={`theme: ${theme.value} (t)`}>
          <Icon name={theme.value === "dark" ? "dream" : theme.value === "light" ? "sun" : "auto"} />
        </button>
        <button type="button" class="plain" onClick={help} aria-label="keys" title="keys (?)">
          <Icon name="keys" />
        </button>
      </div>
    </header>
  );
}

function ProjectChoice({ close }: { close: () => void }) {
  const answer = useAnswer<Projects>("/projects");
  const choose = (key: string) => {
    setProject(key);
    close();
  };
  const all = answer.data?.projects ?? [];
  return (
    <Dialog title="Project" close={close}>
      <ul class="choices" data-rows>
        <li>
          <button type="button" class="choice" data-row data-first={!project.value || undefined} aria-pressed={!project.value} onClick={() => choose("")}>
            <b>only you</b>
            <span class="quiet">what is yours wherever you work</span>
          </button>
        </li>
        {all.map((one) => (
          <li key={one.key}>
            <button type="button" class="choice" data-row data-first={project.value === one.key || undefined} aria-pressed={project.value === one.key} onClick={() => choose(one.key)}>
              <b>{one.name}</b>
              <span class="quiet">
                {one.path}
                {one.there ? "" : " · the folder is gone"}
                {one.memories === undefined ? "" : ` · ${one.memories} memories`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const NAMES: Record<string, string> = { Delete: "Del", Escape: "Esc", ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", " ": "Space" };

function Help({ close }: { close: () => void }) {
  // What the dialog itself listens to is not worth a line.
  const [groups] = useState(() => listed());
  return (
    <Dialog title="Keys" close={close} wide>
      <div class="keys-of">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(({ key, label }) => (
                <div key={key}>
                  <dt>{key.split(key === " " ? "none" : " ").map((one) => <kbd key={one}>{NAMES[one] ?? one}</kbd>)}</dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Asleep() {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((old) => old + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil(((asleep.value?.nextAt ?? 0) - Date.now()) / 1000));
  return (
    <div class="asleep">
      <Icon name="dream" />
      <div>
        <p role="alert">Nobody answers: engramd sleeps, and what is shown is as it was. <Copy text="engram ui" /> wakes it.</p>
        <p class="quiet">Next look in {left} s.</p>
      </div>
      <button type="button" onClick={tryAgain}>look now</button>
    </div>
  );
}

function Shell() {
  const [dialog, setDialog] = useState<"keys" | "projects" | undefined>(undefined);
  useKeys(PAGES.map((page) => ({ key: `g ${page.key}`, label: page.name, run: () => go(address(page)) })), { title: "Go to" });
  useKeys(
    [
      { key: "/", label: "search", run: () => (document.querySelector<HTMLElement>("[data-search]") ?? { focus: () => go(href("search")) }).focus() },
      { key: "j", label: "next line", run: () => moveRow(1) },
      { key: "k", label: "the line before", run: () => moveRow(-1) },
      { key: "ArrowDown", when: inRow, run: () => moveRow(1) },
      { key: "ArrowUp", when: inRow, run: () => moveRow(-1) },
      { key: "Escape", label: "leave a field, go back", run: leave },
      { key: "z", label: "undo the last thing done here", run: () => void undoLast() },
      { key: ".", label: "choose a project", run: () => setDialog("projects") },
      { key: "t", label: "theme: auto, light, dark", run: () => toast(`Theme: ${nextTheme()}`) },
      { key: "?", label: "these keys", run: () => setDialog("keys") },
    ],
    { title: "Everywhere" },
  );
  const page = PAGES.find(({ path }) => path === (route.value.path[0] ?? ""));
  const View = page?.view ?? Lost;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.querySelector<HTMLElement>("main h1")?.focus())}>
        to the page
      </a>
      <Ways />
      <div class="right">
        <Head projects={() => setDialog("projects")} help={() => setDialog("keys")} />
        {/* Another project is another page: nothing of the one before stays. */}
        <main id="main" key={`${page?.path ?? "lost"} ${project.value}`}>
          <Fence where={route.value} name={page?.name ?? "Lost"}>
            <View />
          </Fence>
        </main>
        {asleep.value && <Asleep />}
      </div>
      <Ways narrow />
      <Toasts />
      {dialog === "keys" && <Help close={() => setDialog(undefined)} />}
      {dialog === "projects" && <ProjectChoice close={() => setDialog(undefined)} />}
    </>
  );
}

interface Fenced { where?: Route; failed?: unknown }

/** A page that fails says so, and the rest of the window goes on. Another address is another try. */
class Fence extends Component<{ where: Route; name: string; children: ComponentChildren }, Fenced> {
  state: Fenced = {};

  static getDerivedStateFromProps({ where }: { where: Route }, old: Fenced): Fenced | null {
    return where === old.where ? null : { where, failed: undefined };
  }

  static getDerivedStateFromError(failed: unknown): Fenced {
    return { failed: failed ?? "it failed" };
  }

  render() {
    const { failed } = this.state;
    if (failed === undefined) return this.props.children;
    return (
      <Page title={this.props.name}>
        <Trouble problem={new Problem(500, `This page failed: ${String(failed)}`, [], "internal")} again={() => this.setState({ failed: undefined })} />
        <p>
          <a href="#/">Now</a> shows what happens, <a href="#/search">Search</a> finds memories.
        </p>
      </Page>
    );
  }
}

function leave(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (isTyping(target)) target.blur();
  else if (route.value.path[0] === "memory" && history.length > 1) history.back();
}

function App() {
  return token.value ? <Shell /> : <Key />;
}

/** The ticket of `engram ui` is traded for a key and leaves the address at once. */
async function arrive(): Promise<void> {
  const brought = new URLSearchParams(location.hash.replace(/^#\/?/, ""));
  const ticket = brought.get("ticket"), key = brought.get("key");
  if (ticket === null && key === null) return;
  history.replaceState(null, "", "#/");
  route.value = parseRoute("#/");
  if (brought.get("project")) setProject(brought.get("project") as string);
  if (key) return setToken(key);
  try {
    setToken((await api.admit<Admitted>(ticket as string)).token);
  } catch {
    // A ticket opens once; the key of this tab may still be good.
  }
}

/** So many milliseconds the first picture waits for what it is to show: a frame of placeholders costs more. */
const PATIENCE = 100;

async function begin(): Promise<void> {
  addEventListener("popstate", () => {
    route.value = parseRoute(location.hash);
    comeBack();
  });
  addEventListener("hashchange", () => (route.value = parseRoute(location.hash)));
  watchKeys();
  await arrive();
  const first = answered();
  listen();
  await Promise.race([first, new Promise((done) => setTimeout(done, PATIENCE))]);
  effect(() => {
    void stale.value;
    if (token.value) void api.try<WindowReply>(token.value).then((reply) => (served.value = reply), () => {});
  });
  render(<App />, document.getElementById("app") as HTMLElement);
}

void begin();
