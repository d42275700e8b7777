// What is painted first, and how it is known when it was.

import { useEffect, useState } from "preact/hooks";

/** What is worth reading: the browser itself notes when it was painted (Element Timing), and the tests of speed look for it. */
export const CONTENT = { elementtiming: "content" };

/** The lines that fill a window, so many, and all of them as soon as those are painted. */
export function usePainted<T>(lines: T[], windowful: number): T[] {
  const [painted, setPainted] = useState(false);
  const some = lines.length > 0;
  useEffect(() => {
    if (!some) return;
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(true)));
    return () => cancelAnimationFrame(frame);
  }, [some]);
  return painted ? lines : lines.slice(0, windowful);
}
