import type { Stream } from "../../substrate/random.ts";

/** 0 … `count` − 1 in a drawn order, each order equally likely (Fisher and Yates). */
export function shuffled(count: number, stream: Stream): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = stream.integer(0, last);
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}
