import { useMemo, useRef, useState } from "preact/hooks";
import type { Examined, SettingLine, SettingsListed } from "../shapes";
import { useAnswer } from "../lib/api";
import { plural } from "../lib/format";
import { asleep } from "../lib/store";
import { said } from "../lib/words";
import { Card } from "../parts/Card";
import { Chip, Word } from "../parts/Chip";
import { Copy } from "../parts/Copy";
import { Page } from "../parts/Page";
import { differs, sections, setCommand } from "./told";

const SOURCES: Record<string, string> = {
  default: "the default",
  user: "your file",
  project: "the project's file",
  environment: "the environment",
  flag: "a flag",
};

const VERDICTS: Record<string, { mark: string; tone: string; means: string }> = {
  sound: { mark: "✓", tone: "good", means: "sound" },
  repaired: { mark: "↻", tone: "good", means: "repaired" },
  repairable: { mark: "!", tone: "doubt", means: "can be repaired" },
  broken: { mark: "✕", tone: "wrong", means: "needs a person" },
};

export function Settings() {
  const answer = useAnswer<SettingsListed>("/settings");
  const checks = useAnswer<Examined>("/checks");
  const [text, setText] = useState("");
  const [changed, setChanged] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const all = answer.data?.settings ?? [];
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const shown = useMemo(
    () => all.filter((one) => (!changed || differs(one)) && words.every((word) => `${one.key} ${one.value} ${one.about}`.toLowerCase().includes(word))),
    [all, changed, text],
  );
  const parts = sections(shown);
  const others = all.filter(differs).length;
  return (
    <Page
      title="Settings"
      lead="Every value and where it comes from. They are set by commands, not here: a key that somebody stole must not send memories elsewhere."
      state={answer}
      rows={10}
      keys={[
        { key: "f", label: "look for a setting", run: () => field.current?.focus() },
        { key: "v", label: "all or changed only", run: () => setChanged((old) => !old) },
      ]}
    >
      <Checks state={checks} />
      <div class="sieve settings-filter">
        <input
          ref={field} data-search type="search" placeholder="a key, a value or what it is for" aria-label="look for a setting" value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Chip on={changed} press={() => setChanged(!changed)} count={others}>
          changed only
        </Chip>
        <span class="quiet" role="status">
          {plural(shown.length, "setting")}
        </span>
      </div>
      {parts.length === 0 && (
        <p class="nothing">{changed && !words.length ? "Nothing was changed: every value is the default." : "No setting has these words."}</p>
      )}
      {parts.map(({ name, settings }) => (
        <Card title={said(name)} key={name} class="settings">
          <ul class="plain-list">
            {settings.map((one) => (
              <Setting one={one} key={one.key} />
            ))}
          </ul>
        </Card>
      ))}
      {(answer.data?.files.length ?? 0) > 0 && (
        <p class="quiet files">
          Read from {answer.data?.files.map((file) => <code key={file}>{file}</code>)}
        </p>
      )}
    </Page>
  );
}

function Setting({ one }: { one: SettingLine }) {
  const [open, setOpen] = useState(false);
  const other = differs(one);
  const shown = (value: SettingLine["value"]) => (value === "" ? <span class="quiet">empty</span> : <code>{String(value)}</code>);
  return (
    <li class="setting">
      <div class="setting-key">
        <code>{one.key}</code>
        {one.about && <p>{one.about}</p>}
      </div>
      <div class="setting-value">
        {shown(one.value)}
        <span class="setting-source">
          {other ? <Word tone="accent">{SOURCES[one.source] ?? one.source}</Word> : <span class="quiet">default</span>}
          {other && one.value !== one.default && <span class="quiet">instead of {shown(one.default)}</span>}
        </span>
      </div>
      <div class="setting-more">
        <button type="button" class="plain" aria-expanded={open} aria-label={`how to set ${one.key}`} onClick={() => setOpen(!open)}>
          {open ? "close" : "set"}
        </button>
      </div>
      {open && (
        <div class="setting-command">
          <Copy text={setCommand(one.key, one.value === "" ? "VALUE" : one.value)} />
          {one.value !== one.default && one.default !== "" && <Copy text={setCommand(one.key, one.default)} label={`the command that sets ${one.key} to its default`} />}
          {one.personal && <span class="quiet">Only you may set it: a project's file cannot.</span>}
        </div>
      )}
    </li>
  );
}

function Checks({ state }: { state: ReturnType<typeof useAnswer<Examined>> }) {
  const checks = state.data?.checks ?? [];
  const bad = checks.filter(({ verdict }) => verdict !== "sound");
  const good = checks.filter(({ verdict }) => verdict === "sound");
  const line = ({ what, verdict, detail }: Examined["checks"][number]) => {
    const { mark, tone, means } = VERDICTS[verdict] ?? VERDICTS.sound!;
    return (
      <li key={what + detail} class="check">
        <span class={`tone-${tone}`} role="img" aria-label={means} title={means}>{mark}</span>
        <b>{what}</b>
        <span class="quiet">{detail}</span>
      </li>
    );
  };
  return (
    <Card title="Checks" state={state} rows={1} class="checks">
      {bad.length > 0 && <ul class="plain-list">{bad.map(line)}</ul>}
      {bad.some(({ verdict }) => verdict === "repairable") && <Copy text="engram doctor --repair" />}
      {good.length > 0 && (
        <details>
          <summary>
            <span class={asleep.value ? "quiet" : "tone-good"} aria-hidden="true">{asleep.value ? "○" : "✓"}</span>{" "}
            {bad.length ? `${good.length} more` : `All ${good.length} checks`} {asleep.value ? "were" : "are"} sound
          </summary>
          <ul class="plain-list">{good.map(line)}</ul>
        </details>
      )}
    </Card>
  );
}
