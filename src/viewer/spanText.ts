/** Stretches that lie within others, as pages and reports show them. */
import type { Span } from "../contract/picture.ts";

/** Px from one level to the next, so that the deepest stays on its row. */
export const LEVEL = 3;

/** In the legend, where a span has `under`. */
export const UNDER = "below a stretch: what lies within it";

export const hasUnder = (lanes: readonly { readonly spans?: readonly Span[] }[]): boolean =>
  lanes.some(({ spans = [] }) => spans.some(({ under }) => under !== undefined));

/** A stretch in words, without its times; `shown` is how names of strangers are. */
export function spanText(
  { phase, says, within, under }: Omit<Span, "fromMs" | "toMs">,
  shown: (text: string) => string = (text) => text,
): string {
  const names = [under?.label, says].filter((name) => name !== undefined);
  const words = [...names.map(shown), phase].join(", ");
  return within === undefined ? words : `${words}, within ${shown(within)}`;
}
