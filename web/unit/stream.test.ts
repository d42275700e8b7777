import assert from "node:assert/strict";
import { test } from "node:test";
import { EventReader, type Sent } from "../src/lib/stream";

const TEXT = "retry: 2000\n\n: nobody\n\nevent: heard\nid: 7\ndata: {\"a\":\"ü ☾\"}\n\nid: 8\r\ndata: one\r\ndata:two\r\n\r\nevent: missed\ndata: x\r\rdata\n\ndata: not whole\n";
const WANT: Sent[] = [
  { event: "heard", id: "7", data: '{"a":"ü ☾"}' },
  { event: "message", id: "8", data: "one\ntwo" },
  { event: "missed", id: "8", data: "x" },
  { event: "message", id: "8", data: "" },
];

test("events are whole wherever the bytes are cut", () => {
  const bytes = new TextEncoder().encode(TEXT);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const reader = new EventReader();
    const sent = [...reader.push(bytes.slice(0, cut)), ...reader.push(bytes.slice(cut))];
    assert.deepEqual(sent, WANT, `cut at ${cut}`);
    assert.equal(reader.retry, 2000);
  }
});

test("events come byte by byte", () => {
  const reader = new EventReader();
  const sent = [...new TextEncoder().encode(TEXT)].flatMap((byte) => reader.push(Uint8Array.of(byte)));
  assert.deepEqual(sent, WANT);
});
