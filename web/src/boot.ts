// Runs before anything else. The theme that was chosen, so that nothing flashes;
// and the first question, so that it is answered while the rest is still read.

import { asking, kept, parseRoute, PROJECT, TOKEN } from "./lib/address";
import { firstOf } from "./lib/question";

try {
  const theme = localStorage.getItem("engram.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Nothing was kept.
}

const key = kept(TOKEN), question = firstOf(parseRoute(location.hash));
if (key && question) {
  const where = asking(...question, kept(PROJECT));
  const sent = fetch(where, { cache: "no-store", credentials: "omit", headers: { Authorization: `Bearer ${key}` } });
  // What went wrong is told to whoever asks again.
  window.early = { where, reply: sent.then((answer) => (answer.ok ? answer.json() : undefined)).catch(() => undefined) };
}
