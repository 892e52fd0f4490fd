/** A share of the records for a picture: of a long log every second, every fourth … but all of few errors. */

export interface Point {
  /** Who spoke, or the tool that answered. */
  readonly lane: string;
  readonly atMs: number;
  readonly kind: "said" | "heard" | "called" | "returned" | "error";
}

/** Ours: more than a picture can tell apart. */
const POINTS_MOST = 4_000;

/** Of how many points each so-many-th is kept. */
export interface LogPoints {
  count: number;
  every: number;
}

export const noPoints = (): LogPoints => ({ count: 0, every: 1 });

export function addPoint(all: Point[], points: LogPoints, point: Point): void {
  points.count += 1;
  if (points.count % points.every !== 0) return;
  all.push(point);
  if (all.length < POINTS_MOST) return;
  points.every *= 2;
  const errors = all.filter(({ kind }) => kind === "error").length;
  const keepsErrors = errors < POINTS_MOST / 4;
  const kept = all.filter(
    ({ kind }, index) => index % 2 === 0 || (keepsErrors && kind === "error"),
  );
  all.splice(0, all.length, ...kept);
}
