// A recording or manifest that somebody changed and sealed anew: a replay finds it, or SECURITY.md says that nothing can.
import { describe, expect, it } from "vitest";
import type { Manifest } from "../src/run/bundle.ts";
import type { Recorded } from "../src/run/playRecorded.ts";
import type { Input } from "../src/substrate/port.ts";
import { replay } from "./builtIn.ts";
import { readBundle } from "./builtInScenarios.ts";

/** As a bundle of `reading` that was sealed anew: what is read of it is what the forger wrote. */
interface Forged {
  readonly manifest?: (manifest: Manifest) => Partial<Manifest>;
  readonly inputs?: (inputs: readonly Input[]) => readonly Input[];
}

const bundle = readBundle("recordings/null-stub");
const forged = ({ manifest, inputs }: Forged): Recorded => ({
  ...bundle,
  manifest: { ...bundle.manifest, ...manifest?.(bundle.manifest) },
  inputs: inputs?.(bundle.inputs) ?? bundle.inputs,
});

const place = (kind: Input["kind"], nth = 0): number => {
  const places = bundle.inputs.flatMap((one, at) => (one.kind === kind ? [at] : []));
  return places.at(nth) ?? -1;
};
const changed =
  (kind: Input["kind"], change: object, nth = 0) =>
  (inputs: readonly Input[]): readonly Input[] =>
    inputs.map((one, at) => (at === place(kind, nth) ? ({ ...one, ...change } as Input) : one));
const inEnd =
  (change: (final: NonNullable<Manifest["final"]>) => object) =>
  ({ final }: Manifest): Partial<Manifest> => {
    if (final === undefined) throw new Error("the bundle has no end");
    return { final: { ...final, ...change(final) } };
  };
const reply = bundle.inputs[place("reply")] as Extract<Input, { kind: "reply" }>;
const outside = bundle.inputs[place("outside")] as Extract<Input, { kind: "outside" }>;
const last = bundle.inputs.at(-1) as Input;
const usage = { model: "m", stop: "stop", promptTokens: 1, answerTokens: 1, wallMs: 1 };

const FORGERIES: readonly (readonly [what: string, forgery: Forged])[] = [
  ["another receiver of an outside input", { inputs: changed("outside", { to: "engine" }) }],
  [
    "another event of an outside input",
    { inputs: changed("outside", { event: { type: "daemon.stopped" } }) },
  ],
  ["another time of an outside input", { inputs: changed("outside", { deliveredAt: 5 }) }],
  ["another id of an outside input", { inputs: changed("outside", { id: "nobody" }) }],
  ["another number of an outside input", { inputs: changed("outside", { seq: 999_999 }) }],
  ["an outside input too many", { inputs: (all) => [...all, { ...outside, seq: 999_999 }] }],
  ["an outside input that is doubled", { inputs: (all) => [...all, outside] }],
  [
    "an outside input of its own",
    { inputs: (all) => [...all, { ...outside, id: "forged", seq: 7 }] },
  ],
  ["a reply that is doubled", { inputs: (all) => [...all, reply] }],
  ["a reply too many", { inputs: (all) => [...all, { ...reply, nth: 999 }] }],
  ["a reply of nobody", { inputs: (all) => [...all, { ...reply, from: "agent/nobody" }] }],
  ["another sender of a reply's call", { inputs: changed("reply", { from: "agent/nobody" }) }],
  ["another purpose", { inputs: changed("reply", { purpose: "goal.judge" }) }],
  ["another request", { inputs: changed("reply", { request: "0".repeat(64) }) }],
  ["another port", { inputs: changed("reply", { port: "port/other" }) }],
  ["another number of a reply", { inputs: changed("reply", { seq: 999_999 }) }],
  ["another latency of a reply", { inputs: changed("reply", { latencyMs: reply.latencyMs + 1 }) }],
  ["another time of a reply", { inputs: changed("reply", { deliveredAt: reply.deliveredAt + 1 }) }],
  [
    "another answer",
    { inputs: changed("reply", { event: { type: "llm.failed", error: "away" } }) },
  ],
  ["an answer left out", { inputs: (all) => all.filter((one) => one !== reply) }],
  ["an input from outside left out", { inputs: (all) => all.filter((one) => one !== outside) }],
  ["the last input left out", { inputs: (all) => all.filter((one) => one !== last) }],
  ["another start", { manifest: () => ({ startsAt: "2020-01-01T00:00:00Z" }) }],
  ["a run before it", { manifest: () => ({ resumed: { envelopes: 10, digest: "0".repeat(64) } }) }],
  [
    "a fork that was none",
    {
      manifest: () => ({
        forks: [{ at: 10, set: {}, drop: [], digest: "0".repeat(64), from: null, before: null }],
      }),
    },
  ],
  [
    "a checkpoint too many",
    { manifest: inEnd(({ checkpoints }) => ({ checkpoints: [...checkpoints, [1, "0"]] })) },
  ],
  ["another end", { manifest: inEnd(({ envelopes }) => ({ envelopes: envelopes + 1 })) }],
  ["another outcome", { manifest: inEnd(() => ({ outcome: "interrupted" })) }],
  ["another digest", { manifest: inEnd(() => ({ digest: "0".repeat(64) })) }],
];

describe("forged and sealed anew", () => {
  it("[VB58] the original replays", () => {
    expect(replay(bundle)).toMatchObject({ matches: true, difference: null });
  });

  it.each(FORGERIES)("[VB58] %s is found", (_, forgery) => {
    const { matches, difference } = replay(forged(forgery));

    expect(matches).toBe(false);
    expect(difference?.expected).not.toBe(difference?.actual);
  });

  it.each([
    ["which option the model is said to have drawn", { inputs: changed("reply", { choice: "x" }) }],
    ["the seed, where nothing of the run is drawn from it", { manifest: () => ({ seed: 12_345 }) }],
    ["what the server says that an answer cost", { inputs: changed("reply", { usage }) }],
  ] satisfies readonly (readonly [string, Forged])[])(
    "[VB58] %s is a claim that no replay can judge, as SECURITY.md says",
    (_, forgery) => {
      expect(replay(forged(forgery)).matches).toBe(true);
    },
  );
});
