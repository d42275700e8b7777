// What was counted in steps, read back.

import type { HookStats, Times } from "../shapes";

/** At most so many milliseconds were taken by this share of all; Infinity where the last step has no end. */
export function quantile(times: Times, share: number): number | undefined {
  if (!times.count) return undefined;
  const rank = Math.max(1, Math.ceil(share * times.count));
  let below = 0;
  const steps = Object.entries(times.up_to_ms).map(([step, count]) => [Number(step), count]).sort(([a], [b]) => a - b);
  for (const [step, count] of steps) {
    below += count;
    if (below >= rank) return step > 1e9 ? Infinity : step;
  }
  return undefined;
}

/** Which setting says how long a hook may take. */
export function deadlineKey(event: string): string {
  if (event === "SessionStart") return "hook.start_ms";
  if (["UserPromptSubmit", "PreToolUse", "PostToolUseFailure"].includes(event)) return "hook.prompt_ms";
  return "hook.capture_ms";
}

const TOO_LONG = 3 * 86400e3;

/** Hooks come and somebody types, and yet nothing was kept for days: said loudly. */
export function silentFor(did: HookStats): "ever" | number | undefined {
  if (!did.last_saved_at) return (did.events.UserPromptSubmit?.count ?? 0) > 0 ? "ever" : undefined;
  if (!did.last_prompt_at) return undefined;
  const gone = Date.parse(did.last_prompt_at) - Date.parse(did.last_saved_at);
  return gone >= TOO_LONG ? Date.parse(did.last_saved_at) : undefined;
}
