/** What a world of a log is first asked: what if failures, or empty results, had ended a turn? Only where there were any. */
import type { Json } from "../../machines/letter.ts";

type Fields = { readonly [name: string]: Json };

export function variantsOf({
  errors,
  empty,
}: {
  readonly errors: number;
  readonly empty: number;
}): { readonly variants?: Fields } {
  const seen = { "ghosts.nullIsFailure": true, "ghosts.emptyIsNull": true };
  const stop = { "planner.consecutiveFailures": 1 };
  const variants: Fields = {
    ...(empty > 0 && {
      "empty-is-failure": {
        why: "What if empty results counted as failures? Each agent goes on all the same.",
        policy: seen,
        expect: [failed("=", errors + empty)],
      },
      "empty-stops": {
        why: "What if empty results counted as failures, and a failed call ended the turn?",
        policy: { ...seen, ...stop },
        expect: [failed(">=", 1)],
      },
    }),
    ...(errors > 0 && {
      "errors-stop": {
        why: "What if a failed call ended the turn?",
        policy: stop,
        expect: [failed(">=", 1)],
      },
    }),
  };
  return Object.keys(variants).length === 0 ? {} : { variants };
}

const failed = (op: string, value: number): Fields => ({
  ...{ name: "calls that failed", metric: "calls.failed", op, value },
});
