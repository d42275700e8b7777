// Addresses, of pages and of what the daemon is asked. Pure but for what a tab keeps.

/** Under these names a tab keeps its key and its project. */
export const TOKEN = "engram.token", PROJECT = "engram.project";

export function kept(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

export const BASE = "/api/v1";

export interface Route { path: string[]; query: URLSearchParams }

export function parseRoute(hash: string): Route {
  const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query ?? "") };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export type Query = Record<string, string | number | boolean | readonly string[] | undefined | null>;

/** Lists become one parameter with commas; what is empty or false is left out. */
export function queryText(query: Query): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(",") : value === undefined || value === null || value === false ? "" : String(value);
    if (text !== "") parts.set(name, text);
  }
  return parts.toString();
}

/** Where the daemon is asked something about a project. */
export function asking(path: string, query: Query, project: string): string {
  const text = queryText({ project, ...query });
  return `${BASE}${path}${text ? `?${text}` : ""}`;
}
