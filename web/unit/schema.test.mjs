import assert from "node:assert/strict";
import { test } from "node:test";
import { typeOf, typesOf } from "../build/schema.mjs";

test("a type says what its schema says", () => {
  const said = {
    string: { type: "string", format: "date-time" },
    number: { type: "integer", format: "uint64", minimum: 0 },
    "string | null": { type: ["string", "null"] },
    "Scope | null": { anyOf: [{ $ref: "#/components/schemas/Scope" }, { type: "null" }] },
    '"project" | "user"': { type: "string", enum: ["project", "user"] },
    "(string | null)[]": { type: "array", items: { type: ["string", "null"] } },
    "[number, number, BondKind, number]": { type: "array", prefixItems: [{ type: "integer" }, { type: "integer" }, { $ref: "#/components/schemas/BondKind" }, { type: "number" }], minItems: 4, maxItems: 4 },
    "number[]": { type: "array", items: { type: "integer" }, minItems: 10, maxItems: 10 },
    "{ id: string; summary?: string; \"a-b\"?: boolean }": { type: "object", properties: { id: { type: "string" }, summary: { type: "string" }, "a-b": { type: "boolean" } }, required: ["id"] },
    "{ needed: string | null; left_out?: string }": { type: "object", properties: { needed: { type: ["string", "null"] }, left_out: { type: ["string", "null"] } }, required: ["needed"] },
    "Record<string, number>": { type: "object", additionalProperties: { type: "integer" } },
    "Partial<Record<Status, number>>": { type: "object", propertyNames: { $ref: "#/components/schemas/Status" }, additionalProperties: { type: "integer" } },
    "Record<string, unknown>": { type: "object" },
    '{ side: "gone" } | { side: "memory"; memory: Memory }': { oneOf: [{ type: "object", properties: { side: { type: "string", const: "gone" } }, required: ["side"] }, { type: "object", properties: { side: { type: "string", const: "memory" }, memory: { $ref: "#/components/schemas/Memory" } }, required: ["side", "memory"] }] },
    '{ number: number } & ({ what: "heard" } | { what: "told" })': { type: "object", properties: { number: { type: "integer" } }, required: ["number"], oneOf: ["heard", "told"].map((what) => ({ type: "object", properties: { what: { const: what } }, required: ["what"] })) },
    unknown: true,
  };
  for (const [type, schema] of Object.entries(said)) assert.equal(typeOf(schema), type);
});

test("keys that are words of a closed set are those words", () => {
  assert.equal(typeOf({ type: "object", additionalProperties: true, propertyNames: { enum: ["a", "b"] } }), 'Partial<Record<"a" | "b", unknown>>');
});

test("a word that is not known is not passed over", () => {
  assert.throws(() => typeOf({ type: "string", not: {} }), /not known: not/);
  assert.throws(() => typeOf({ type: "money" }), /not known: "money"/);
  assert.throws(() => typeOf({ $ref: "https://elsewhere.example/a" }), /leads out/);
});

test("the types of a document are in the order of their names, with what is said of them", () => {
  const document = { components: { schemas: { Scope: { description: "Where a memory lives.\n\nMore.", type: "string", enum: ["user"] }, Memory: { type: "object", properties: { scope: { $ref: "#/components/schemas/Scope" } }, required: ["scope"] } } } };
  assert.equal(typesOf(document), 'export type Memory = { scope: Scope };\n/** Where a memory lives. */\nexport type Scope = "user";');
  assert.throws(() => typesOf({}), /no schemas/);
});
