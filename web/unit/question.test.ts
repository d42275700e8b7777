import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRoute } from "../src/lib/address";
import { askedBy, dayLater, dayOf, firstOf, isWithin, questionOf, sessionIn } from "../src/lib/question";

const asked = (query: string) => askedBy(new URLSearchParams(query));

test("what is no day of the calendar counts as not given", () => {
  for (const text of ["x", "2026-1-5", "2026-02-30", "2026-13-01", "2026-01-05T10:00", "", "0000-00-00"]) assert.equal(dayOf(text), "", text);
  assert.equal(dayOf("2028-02-29"), "2028-02-29");
  assert.equal(asked("q=a&as_of=x").asOf, "");
  const [, query] = firstOf(parseRoute("#/search?q=a&as_of=2026-1-5"))!;
  assert.equal(query.as_of, undefined);
});

test("days are counted by the calendar, also where clocks change", () => {
  const zone = process.env.TZ;
  for (const name of ["Europe/Berlin", "America/New_York", "UTC"]) {
    process.env.TZ = name;
    for (let day = "2026-01-01"; day < "2026-12-31"; ) {
      const next = dayLater(day, 1);
      assert.ok(next > day, `${name}: after ${day} comes ${next}`);
      assert.equal(dayLater(next, -1), day, name);
      const [, { as_of }] = questionOf(asked(`q=a&as_of=${day}`));
      assert.equal(new Date(Date.parse(as_of as string) + 1).getTime(), new Date(`${next}T00:00`).getTime(), `${name}: the end of ${day}`);
      day = next;
    }
  }
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("a day that is typed counts when it is whole and there", () => {
  const typed = ["", "0002-05-03", "0202-05-03", "2026-05-03", "2027-05-03"].map((text) => isWithin(text, "2026-01-01", "2026-11-16"));
  assert.deepEqual(typed, [false, false, false, true, false]);
});

test("a session is named only where its memories are asked for", () => {
  const session = "01M7JFCJPYF011C54KHCQY19YB";
  assert.equal(questionOf(asked(`scope=session&session=${session}`))[1].session, session);
  assert.equal(questionOf(asked(`q=a&scope=session,project&session=${session}`))[1].session, session);
  assert.equal(questionOf(asked(`scope=project&session=${session}`))[1].session, undefined);
  assert.equal(questionOf(asked("scope=session&session=zz"))[1].session, "");
  assert.equal(sessionIn(new URLSearchParams(`session=${session}`)), session);
  assert.equal(sessionIn(new URLSearchParams("session=zz")), undefined);
});
