// Server-sent events read from a fetch: EventSource can send no token. The
// parser takes bytes cut anywhere and gives whole events.

export interface Sent { event: string; id: string; data: string }

export class EventReader {
  private rest = "";
  private decoder = new TextDecoder();
  private event = "";
  private data: string[] = [];
  private id = "";
  /** What the server asked to wait before trying again, in milliseconds. */
  retry: number | undefined;

  push(bytes: Uint8Array): Sent[] {
    this.rest += this.decoder.decode(bytes, { stream: true });
    const sent: Sent[] = [];
    for (;;) {
      const end = this.rest.search(/[\r\n]/);
      if (end < 0) break;
      // A carriage return at the very end may be half of a line's end.
      if (this.rest[end] === "\r" && end === this.rest.length - 1) break;
      const line = this.rest.slice(0, end);
      this.rest = this.rest.slice(end + (this.rest.startsWith("\r\n", end) ? 2 : 1));
      const whole = this.line(line);
      if (whole) sent.push(whole);
    }
    return sent;
  }

  private line(line: string): Sent | undefined {
    if (line === "") {
      const whole = this.data.length ? { event: this.event || "message", id: this.id, data: this.data.join("\n") } : undefined;
      this.event = "";
      this.data = [];
      return whole;
    }
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (field === "event") this.event = value;
    else if (field === "data") this.data.push(value);
    else if (field === "id" && !value.includes("\0")) this.id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    return;
  }
}
