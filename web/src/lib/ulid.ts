// Identifiers of operations: 48 bits of time and 80 of chance, in Crockford's
// base 32, as the daemon makes them.

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function ulid(at: number = Date.now()): string {
  const chance = crypto.getRandomValues(new Uint8Array(16));
  let time = "";
  for (let rest = at, place = 0; place < 10; place++) {
    time = DIGITS[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return time + Array.from(chance, (byte) => DIGITS[byte % 32]).join("");
}

/** Whether an operation is this one or a part of it: parts are minted in its name and for its moment. */
export const isPartOf = (id: string, whole: string): boolean => id.slice(0, 10) === whole.slice(0, 10);

/** How people name a memory: the end of its identifier, as the commands show it. */
export const shortId = (id: string): string => id.slice(-8);
