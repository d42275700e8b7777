// Turns the schemas of an OpenAPI 3.1 document (JSON Schema 2020-12, as schemars
// writes it) into TypeScript. Pure: what is read and written is not known here.
// A word of the schema language that is not known makes it fail, so that a type
// never says less than the document without anybody noticing.

const KNOWN = new Set([
  "$ref", "type", "enum", "const", "oneOf", "anyOf", "allOf", "properties", "required", "additionalProperties", "unevaluatedProperties",
  "propertyNames", "patternProperties", "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "exclusiveMinimum",
  "exclusiveMaximum", "minLength", "maxLength", "minProperties", "maxProperties", "pattern", "format", "title", "description", "default",
  "examples", "deprecated", "readOnly", "writeOnly", "multipleOf", "contentEncoding", "contentMediaType",
]);

const REF = "#/components/schemas/";
const isName = (name) => /^[A-Za-z_$][\w$]*$/.test(name);
const key = (name) => (isName(name) ? name : JSON.stringify(name));
const union = (types) => [...new Set(types)].join(" | ");

/** In brackets where it is several things that are not in brackets yet. */
function wrapped(type) {
  let depth = 0;
  for (const [at, letter] of [...type].entries()) {
    if ("[{(<".includes(letter)) depth++;
    else if ("]})>".includes(letter)) depth--;
    else if (depth === 0 && /[|&]/.test(letter) && at > 0) return `(${type})`;
  }
  return type;
}

/** The name of a type that a reference means. */
export function nameOf(ref) {
  if (!ref.startsWith(REF)) throw new Error(`a reference that leads out of the document: ${ref}`);
  const name = decodeURIComponent(ref.slice(REF.length)).replaceAll("~1", "/").replaceAll("~0", "~");
  if (!isName(name)) throw new Error(`a schema whose name is no name: ${name}`);
  return name;
}

function object(schema) {
  const { properties = {}, required = [], additionalProperties: more, propertyNames, patternProperties } = schema;
  // What may be left out is left out where there is none of it; null is only said of what must be there.
  const fields = Object.entries(properties).map(([name, one]) => (required.includes(name) ? `${key(name)}: ${typeOf(one)}` : `${key(name)}?: ${typeOf(one).replace(/ \| null$/, "")}`));
  const parts = fields.length ? [`{ ${fields.join("; ")} }`] : [];
  const open = patternProperties ? { anyOf: Object.values(patternProperties) } : typeof more === "object" || (more === true && !fields.length) ? more : undefined;
  if (open !== undefined) {
    const names = propertyNames ? typeOf(propertyNames) : "string";
    parts.push(names === "string" || names === "unknown" ? `Record<string, ${typeOf(open)}>` : `Partial<Record<${names}, ${typeOf(open)}>>`);
  }
  return parts.length ? parts.join(" & ") : "Record<string, unknown>";
}

function array({ items, prefixItems, minItems, maxItems }) {
  if (prefixItems) return `[${prefixItems.map(typeOf).join(", ")}]`;
  const one = items === undefined ? "unknown" : typeOf(items);
  if (minItems !== undefined && minItems === maxItems && minItems <= 4) return `[${Array(minItems).fill(one).join(", ")}]`;
  return `${wrapped(one)}[]`;
}

function plain(type, schema) {
  switch (type) {
    case "string": return "string";
    case "integer": case "number": return "number";
    case "boolean": return "boolean";
    case "null": return "null";
    case "array": return array(schema);
    case "object": return object(schema);
    default: throw new Error(`a type that is not known: ${JSON.stringify(type)}`);
  }
}

/** A schema as a type in one line. */
export function typeOf(schema) {
  if (schema === true) return "unknown";
  if (schema === false) return "never";
  const unknown = Object.keys(schema).filter((word) => !KNOWN.has(word) && !word.startsWith("x-"));
  if (unknown.length) throw new Error(`words of a schema that are not known: ${unknown.join(", ")} in ${JSON.stringify(schema).slice(0, 200)}`);
  // What stands beside one another holds together.
  const all = [];
  if (schema.$ref !== undefined) all.push(nameOf(schema.$ref));
  if (schema.const !== undefined) all.push(JSON.stringify(schema.const));
  else if (schema.enum !== undefined) all.push(union(schema.enum.map((value) => JSON.stringify(value))));
  else if (schema.type !== undefined) {
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    // An object that only says which of its forms it has adds nothing itself.
    const bare = types.length === 1 && types[0] === "object" && !schema.properties && schema.additionalProperties === undefined && (schema.oneOf ?? schema.anyOf ?? schema.allOf);
    if (!bare) all.push(union(types.map((type) => plain(type, schema))));
  } else if (schema.properties) all.push(object(schema));
  for (const word of ["oneOf", "anyOf"]) if (schema[word]) all.push(union(schema[word].map(typeOf)));
  if (schema.allOf) all.push(...schema.allOf.map(typeOf));
  return all.length > 1 ? all.map(wrapped).join(" & ") : (all[0] ?? "unknown");
}

/** Every schema of a document, by its name. */
export function typesOf(document) {
  const schemas = Object.entries(document.components?.schemas ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (!schemas.length) throw new Error("the document has no schemas");
  return schemas.map(([name, schema]) => {
    const said = schema.description ? `/** ${schema.description.split("\n\n", 1)[0].replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n` : "";
    return `${said}export type ${nameOf(REF + name)} = ${typeOf(schema)};`;
  }).join("\n");
}
