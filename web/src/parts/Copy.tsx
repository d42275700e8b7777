import { useState } from "preact/hooks";
import { Icon } from "./icons";

/** A command that can be copied. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      // The text stays selectable.
    }
  };
  return (
    <span class="copy">
      <code>{text}</code>
      <button class="plain" type="button" onClick={() => void copy()} aria-label={`copy ${label ?? text}`} title="copy">
        <Icon name={done ? "check" : "copy"} size={14} />
      </button>
    </span>
  );
}
