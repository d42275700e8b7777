// Which node lies under a point. A grid of squares, made again only when
// something moved and somebody asks.

import { drawn, type Camera } from "./shape";

const CELL = 32;
const key = (x: number, y: number) => (x + 32768) * 65536 + (y + 32768);

export class Grid {
  private cells = new Map<number, number[]>();
  private widest = 0;

  constructor(private places: Float32Array, private radii: Float32Array, seen: Uint8Array | null) {
    for (let i = 0; i < radii.length; i++) {
      if (seen && !seen[i]) continue;
      const at = key(Math.floor(places[2 * i]! / CELL), Math.floor(places[2 * i + 1]! / CELL));
      const cell = this.cells.get(at);
      if (cell) cell.push(i);
      else this.cells.set(at, [i]);
      if (radii[i]! > this.widest) this.widest = radii[i]!;
    }
  }

  /** The node under a point of the plane; `slack` pixels beside it count. */
  at(x: number, y: number, camera: Camera, slack: number): number | null {
    const reach = (drawn(this.widest, camera.k) + slack) / camera.k;
    const left = Math.floor((x - reach) / CELL), right = Math.floor((x + reach) / CELL);
    const top = Math.floor((y - reach) / CELL), bottom = Math.floor((y + reach) / CELL);
    // From far away a finger covers more squares than there are: ask them all.
    const wide = (right - left + 1) * (bottom - top + 1) > this.cells.size;
    const cells = wide ? this.cells.values() : this.between(left, right, top, bottom);
    let found: number | null = null;
    let nearest = Infinity;
    for (const cell of cells) {
      for (const i of cell) {
        const away = Math.hypot(this.places[2 * i]! - x, this.places[2 * i + 1]! - y) * camera.k;
        const beside = away - drawn(this.radii[i]!, camera.k);
        if (beside <= slack && away < nearest) {
          nearest = away;
          found = i;
        }
      }
    }
    return found;
  }

  private *between(left: number, right: number, top: number, bottom: number): Generator<number[]> {
    for (let x = left; x <= right; x++) {
      for (let y = top; y <= bottom; y++) {
        const cell = this.cells.get(key(x, y));
        if (cell) yield cell;
      }
    }
  }
}
