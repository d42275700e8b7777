// Written by `engram install opencode`; `engram uninstall opencode` removes it.
// It tells engram what happens here and adds what engram remembers. Without
// engram, or when engram fails, it does nothing.
import { spawn } from "node:child_process"

const LONGEST_MS = 5000

function tell(event: string, input: Record<string, unknown>): Promise<string> {
  return new Promise((resolve) => {
    let out = ""
    try {
      const hook = spawn("engram", ["hook", "--agent", "opencode", event], {
        stdio: ["pipe", "pipe", "ignore"],
        timeout: LONGEST_MS,
      })
      hook.on("error", () => resolve(""))
      hook.on("close", () => resolve(out))
      hook.stdout.on("data", (part) => (out += part))
      hook.stdin.on("error", () => {})
      hook.stdin.end(JSON.stringify({ hook_event_name: event, ...input }))
    } catch {
      resolve("")
    }
  })
}

function contextIn(answer: string): string {
  try {
    return JSON.parse(answer).hookSpecificOutput?.additionalContext ?? ""
  } catch {
    return ""
  }
}

export const Engram = async ({ client, directory }: any) => {
  // What engram said last, by session: it goes into the next request.
  const remembered = new Map<string, string>()
  const about = (session_id: string) => ({ session_id, cwd: directory })

  async function lastAnswer(id: string): Promise<string> {
    try {
      const messages = (await client.session.messages({ path: { id } })).data ?? []
      const last = messages.filter((message: any) => message.info.role === "assistant").pop()
      const texts = (last?.parts ?? []).filter((part: any) => part.type === "text")
      return texts.map((part: any) => part.text).join("\n")
    } catch {
      return ""
    }
  }

  async function recall(event: string, session: string, input: Record<string, unknown>) {
    const context = contextIn(await tell(event, { ...about(session), ...input }))
    if (context) remembered.set(session, context)
  }

  return {
    event: async ({ event }: any) => {
      const id = event.properties?.info?.id ?? event.properties?.sessionID
      if (!id) return
      if (event.type === "session.created") await recall("SessionStart", id, { source: "startup" })
      if (event.type === "session.idle") {
        await tell("Stop", { ...about(id), last_assistant_message: await lastAnswer(id) })
      }
      if (event.type === "session.deleted") {
        remembered.delete(id)
        await tell("SessionEnd", { ...about(id), reason: "other" })
      }
    },
    "chat.message": async (input: any, output: any) => {
      const texts = (output.parts ?? []).filter((part: any) => part.type === "text" && !part.synthetic)
      const prompt = texts.map((part: any) => part.text).join("\n")
      if (prompt) await recall("UserPromptSubmit", input.sessionID, { prompt })
    },
    "experimental.chat.system.transform": async (input: any, output: any) => {
      const context = remembered.get(input.sessionID)
      if (context) output.system.push(context)
    },
    "tool.execute.before": async (input: any, output: any) => {
      await tell("PreToolUse", {
        ...about(input.sessionID),
        tool_name: input.tool,
        tool_input: output.args,
        tool_use_id: input.callID,
      })
    },
    "tool.execute.after": async (input: any, output: any) => {
      await tell("PostToolUse", {
        ...about(input.sessionID),
        tool_name: input.tool,
        tool_input: input.args,
        tool_use_id: input.callID,
        tool_response: output.output,
        exit_code: output.metadata?.exit,
      })
    },
    "experimental.session.compacting": async (input: any) => {
      await tell("PreCompact", { ...about(input.sessionID), trigger: "auto" })
    },
  }
}
