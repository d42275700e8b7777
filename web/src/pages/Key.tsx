import { useState } from "preact/hooks";
import type { Admitted } from "../shapes";
import { api, Problem } from "../lib/api";
import { setToken } from "../lib/store";
import { Copy } from "../parts/Copy";
import { Mark } from "../parts/icons";

/** The key itself, or the one that the ticket in an address is good for. */
async function keyOf(text: string): Promise<string> {
  const ticket = new URLSearchParams(text.slice(text.indexOf("#") + 1)).get("ticket");
  if (ticket) return (await api.admit<Admitted>(ticket)).token;
  await api.try(text);
  return text;
}

/** A tab without a key: one sentence and a field. */
export function Key() {
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const enter = async (event: Event) => {
    event.preventDefault();
    if (!key.trim()) return;
    setBusy(true);
    setProblem("");
    try {
      setToken(await keyOf(key.trim()));
    } catch (trouble) {
      setProblem(trouble instanceof Problem && trouble.status === 401 ? "That opens nothing here: a ticket is good once, for five minutes." : trouble instanceof Problem ? trouble.detail : String(trouble));
    }
    setBusy(false);
  };
  return (
    <main class="door">
      <Mark size={56} />
      <h1>engram</h1>
      <p>
        This tab has no key. Run <Copy text="engram ui" />
        <br />
        in a terminal, or paste the address that <Copy text="engram ui --print" /> prints.
      </p>
      <form onSubmit={(event) => void enter(event)}>
        <label for="key">Address or key</label>
        <div class="field-row">
          <input id="key" type="password" autocomplete="off" spellcheck={false} value={key} aria-invalid={problem !== ""} aria-describedby="key-problem" onInput={(event) => setKey(event.currentTarget.value)} />
          <button class="primary" disabled={busy}>
            open
          </button>
        </div>
        <p id="key-problem" class="problem" role="alert">
          {problem}
        </p>
      </form>
      <p class="quiet">The key stays in this tab and is sent to this machine alone.</p>
    </main>
  );
}
