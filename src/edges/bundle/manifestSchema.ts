/**
 * What a manifest must hold before anything in it is believed. Its seal reveals a later change; this
 * reveals a manifest that was made up and then sealed.
 */

import * as Schema from "effect/Schema";
import type { Part } from "../../contract/part.ts";
import { accepts, policyLeaves } from "../../contract/policyTree.ts";
import type { Json } from "../../machines/letter.ts";
import { SEED_MAX } from "../../substrate/random.ts";
import { quoted } from "../errors.ts";
import { whole } from "../scenario/scenarioFields.ts";
import { findingsOf } from "../scenario/schemaFindings.ts";

const count = whole(0, Number.MAX_SAFE_INTEGER);

const hash = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/, { expected: "a SHA-256 in lowercase hex" }),
).annotate({ expected: "a SHA-256 in lowercase hex" });

const model = Schema.Struct({
  name: Schema.String,
  digest: Schema.String,
  parameters: Schema.String,
  quantization: Schema.String,
  contextLength: count,
});

const outcome = Schema.String.check(
  Schema.isPattern(/^(ended|interrupted|waiting|bug|miss|limit:[A-Za-z]+)$/, {
    expected: "ended | interrupted | waiting | bug | miss | limit:NAME",
  }),
);

const final = Schema.Struct({
  outcome,
  error: Schema.NullOr(Schema.String),
  digest: hash,
  envelopes: count,
  virtualMs: count,
  inputs: Schema.Struct({ lines: count, head: hash }),
  log: Schema.optionalKey(hash),
  checkpoints: Schema.Array(Schema.Tuple([count, Schema.String])),
});

const ORIGIN = /^(?:scripted|live:ollama|live:openai|live:program|imported:[a-z-]{1,20})$/;
const ORIGIN_ALLOWED = "scripted | live:ollama | live:openai | live:program | imported:FORMAT";

const imported = Schema.Struct({
  format: Schema.String,
  clock: Schema.Literals(["log", "steps"]),
  files: Schema.Array(
    Schema.Struct({
      file: Schema.String,
      bytes: Schema.NullOr(count),
      sha256: Schema.NullOr(hash),
    }),
  ),
  redacted: count,
  unread: Schema.optionalKey(
    Schema.Struct({
      count,
      first: Schema.Array(
        Schema.Struct({
          file: Schema.String,
          line: Schema.NullOr(count),
          reason: Schema.String,
        }),
      ),
    }),
  ),
});

const live = Schema.Struct({
  server: Schema.String,
  models: Schema.Record(Schema.String, model),
  embed: Schema.NullOr(model),
});

const fork = Schema.Struct({
  at: count,
  set: Schema.Record(Schema.String, Schema.Unknown),
  drop: Schema.Array(Schema.String),
  reseed: Schema.optionalKey(whole(0, SEED_MAX)),
  digest: hash,
  from: Schema.NullOr(hash),
  before: Schema.NullOr(live),
});

/** Ours: each is a world made anew, which takes a millisecond. */
export const FORKS_MAX = 1_000;
const FORKS_ALLOWED = `at most ${FORKS_MAX} forks`;

const manifest = Schema.Struct({
  format: count,
  product: Schema.String,
  rulesVersion: count,
  scenario: Schema.Struct({ name: Schema.String, text: Schema.String, sha256: hash }),
  variant: Schema.NullOr(Schema.String),
  seed: whole(0, SEED_MAX),
  policy: Schema.Record(Schema.String, Schema.Unknown),
  untilMs: Schema.NullOr(count),
  origin: Schema.String.check(Schema.isPattern(ORIGIN, { expected: ORIGIN_ALLOWED })).annotate({
    expected: ORIGIN_ALLOWED,
  }),
  providers: Schema.Record(Schema.String, Schema.String),
  live: Schema.optionalKey(live),
  resumed: Schema.optionalKey(Schema.NullOr(Schema.Struct({ envelopes: count, digest: hash }))),
  forks: Schema.optionalKey(
    Schema.Array(fork).check(Schema.isMaxLength(FORKS_MAX, { expected: FORKS_ALLOWED })),
  ),
  startsAt: Schema.String,
  imported: Schema.optionalKey(imported),
  parts: Schema.optionalKey(Schema.Array(Schema.String)),
  final: Schema.optionalKey(final),
  seal: hash,
});

const decode = Schema.decodeUnknownResult(manifest, { errors: "all", onExcessProperty: "ignore" });

/** Where a manifest is wrong, what stands there and what may; undefined when it is one. */
export function faultOfManifest(
  parts: readonly Part[],
  value: Json,
): { readonly path: string; readonly found: string; readonly allowed: string } | undefined {
  const decoded = decode(value);
  if (decoded._tag === "Failure") {
    const [first] = findingsOf(decoded.failure.issue, value);
    return {
      path: first?.path.join(".") ?? "",
      found: first?.found ?? "another value",
      allowed: first?.allowed ?? "a manifest",
    };
  }
  const { origin, imported: log } = decoded.success;
  if (origin.startsWith("imported:") !== (log !== undefined)) {
    const found = log === undefined ? "nothing" : "a log, in a run that was played";
    return { path: "imported", found, allowed: "what was read, where the origin says imported" };
  }
  const leaves = new Map(policyLeaves(parts));
  const { policy, forks = [] } = decoded.success;
  const early = forks.findIndex(({ at }, place) => at < (forks[place - 1]?.at ?? 0));
  if (early >= 0) {
    return {
      path: `forks.${early}.at`,
      found: quoted(forks[early]?.at),
      allowed: "a moment that is not before that of the fork above it",
    };
  }
  const values = [
    ...Object.entries(policy).map(([path, set]) => [`policy.${path}`, path, set] as const),
    ...forks.flatMap(({ set }, place) =>
      Object.entries(set).map(
        ([path, value]) => [`forks.${place}.set.${path}`, path, value] as const,
      ),
    ),
  ];
  for (const [place, path, set] of values) {
    const leaf = leaves.get(path);
    if (leaf !== undefined && accepts(leaf, set)) continue;
    return {
      path: place,
      found: quoted(set),
      allowed:
        leaf === undefined ? "no such value in this version" : "what `ghostlight policy` says",
    };
  }
  return undefined;
}
