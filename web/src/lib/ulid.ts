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

/** How people name a memory: the end of its identifier. */
export const shortId = (id: string): string => id.slice(-6).toLowerCase();
