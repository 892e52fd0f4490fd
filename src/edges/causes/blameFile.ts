/**
 * What `blame` found as a file beside the report. The seal of the bundle does not vouch for it: whoever shows it says so. It
 * names the digest of the run that was asked about, so that it passes for no other's.
 */
import * as Schema from "effect/Schema";
import type { ViewBlame } from "../../viewer/viewData.ts";
import { whole } from "../scenario/scenarioFields.ts";
import { parsedJson } from "../strictValue.ts";

const count = whole(0, Number.MAX_SAFE_INTEGER);
const blamed = Schema.Struct({
  ...{ says: Schema.String, first: Schema.String, atMs: count, place: Schema.NullOr(count) },
  ...{ behind: Schema.String, still: Schema.String, effect: Schema.String },
  bar: Schema.NullOr(Schema.Tuple([Schema.Finite, Schema.Finite, Schema.Finite])),
  decides: Schema.Boolean,
});
const decode = Schema.decodeUnknownResult(
  Schema.Struct({
    of: Schema.String,
    ...{ outcome: Schema.String, head: Schema.String, closing: Schema.String },
    ranking: Schema.Array(blamed),
    notes: Schema.Array(Schema.String),
    curve: Schema.Array(Schema.Struct({ atMs: count, hits: count, n: whole(1, 1e9) })),
  }),
);

/** Undefined for a text that says nothing of a run with this digest. */
export function blameIn(text: string, digest: string): ViewBlame | undefined {
  const parsed = parsedJson(text);
  const decoded = decode("value" in parsed ? parsed.value : null);
  if (decoded._tag === "Failure") return undefined;
  const { of, ...shown } = decoded.success;
  return of === digest ? shown : undefined;
}

export const blameFileText = (shown: ViewBlame, digest: string): string =>
  `${JSON.stringify({ of: digest, ...shown }, null, 2)}\n`;
