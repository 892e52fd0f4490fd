/** A share of the records for a picture: of a long log every second, every fourth … but all of few errors. */

export interface Point {
  /** Who spoke, or the tool that answered. */
  readonly lane: string;
  readonly atMs: number;
  readonly kind: "said" | "heard" | "called" | "returned" | "error";
}

/** Ours: more than a picture can tell apart. */
const POINTS_MOST = 4_000;

export class LogPoints {
  readonly all: Point[] = [];
  #count = 0;
  #every = 1;

  add(point: Point): void {
    this.#count += 1;
    if (this.#count % this.#every !== 0) return;
    this.all.push(point);
    if (this.all.length < POINTS_MOST) return;
    this.#every *= 2;
    const errors = this.all.filter(({ kind }) => kind === "error").length;
    const keepsErrors = errors < POINTS_MOST / 4;
    const kept = this.all.filter(
      ({ kind }, index) => index % 2 === 0 || (keepsErrors && kind === "error"),
    );
    this.all.splice(0, this.all.length, ...kept);
  }
}
