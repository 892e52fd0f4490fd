import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  OUTSIDE_CAPABILITIES,
  type OutsideCapability,
  scriptedWorld,
  type WorldAnswer,
} from "../../../src/actors/agents/scriptedWorld.ts";
import type { Json } from "../../../src/machines/letter.ts";
import type { PortRequest } from "../../../src/substrate/port.ts";
import { namedRandom } from "../../../src/substrate/random.ts";
import { mailOf, strangeEvent } from "../../mail.ts";

const PAGE = "/agentOS/system/{agent}.md";
const accepted: WorldAnswer = {
  id: "accepted",
  capability: "propose_change",
  match: "heartbeat",
  weight: 1,
  reply: { ok: true, result: { status: "accepted", for: "{agent}" } },
  files: { [PAGE]: "asked by {agent}", "/agentOS/system/old.md": null },
  afterMs: 90_000,
};
const declined: WorldAnswer = {
  ...accepted,
  id: "declined",
  weight: 3,
  reply: { ok: false, error: "declined, {agent}" },
  files: {},
  afterMs: null,
};

const CLAUDE: OutsideCapability = "invoke_claude";

interface Setting {
  readonly answers?: readonly WorldAnswer[];
  readonly without?: readonly string[];
  readonly seed?: number;
}

const ask = (
  { answers = [accepted], without = [], seed = 7 }: Setting,
  params: { readonly [name: string]: Json } = { text: "Make the Heartbeat slower" },
  changes: Partial<PortRequest<"tool.called">> & { readonly purpose?: OutsideCapability } = {},
) =>
  scriptedWorld({
    world: { answers },
    random: namedRandom(seed),
    without: new Set(without),
  }).answer({
    ...{ port: "port/tool.call", from: "engine", purpose: "propose_change", nth: 1, seq: 9 },
    ...{ nowMs: 0, request: "" },
    event: {
      type: "tool.called",
      purpose: changes.purpose ?? "propose_change",
      agent: "cedar",
      params,
    },
    ...changes,
  });

describe("what the scenario says", () => {
  it("[WO1] a request that holds the text is answered, with what changes, after its time", () => {
    expect(ask({})).toEqual({
      event: {
        type: "tool.replied",
        ok: true,
        result: { status: "accepted", for: "cedar" },
        changed: { "/agentOS/system/cedar.md": "asked by cedar", "/agentOS/system/old.md": null },
      },
      latencyMs: 90_000,
      choice: "answer:accepted",
    });
    expect(ask({ answers: [declined] }).event).toEqual({
      type: "tool.replied",
      ok: false,
      error: "declined, cedar",
    });
  });

  it("[WO1] the text is sought in every parameter, in whatever case, at any depth", () => {
    expect(ask({}, { list: [{ deep: "HEARTBEAT" }], n: 1 }).choice).toBe("answer:accepted");
    expect(ask({ answers: [{ ...accepted, match: "HeartBEAT" }] }).choice).toBe("answer:accepted");
    expect(ask({}, { heartbeat: "only a name" }).choice).toBe("answer:none");
    expect(ask({ answers: [{ ...accepted, match: null }] }, {}).choice).toBe("answer:accepted");
    expect(ask({}, undefined, { purpose: "invoke_claude" }).choice).toBe("answer:none");
  });

  it("[WO2] several that fit are drawn by weight, from a stream of the call's own name", () => {
    const answers = [accepted, declined];
    const drawn = (seed: number) =>
      Array.from(
        { length: 400 },
        (_, at) => ask({ answers, seed }, undefined, { nth: at + 1 }).choice,
      );

    const share = drawn(7).filter((choice) => choice === "answer:declined").length / 400;
    expect(share).toBeGreaterThan(0.65);
    expect(share).toBeLessThan(0.85);
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
    const drawnFor = (from: string) =>
      Array.from({ length: 40 }, (_, at) => ask({ answers }, undefined, { from, nth: at + 1 }));
    expect(drawnFor("engine")).not.toEqual(drawnFor("engine#2"));
    const both = [...answers, ...answers.map((one) => ({ ...one, capability: CLAUDE }))];
    const choicesOf = (purpose: OutsideCapability) =>
      Array.from(
        { length: 40 },
        (_, at) => ask({ answers: both }, undefined, { purpose, nth: at + 1 }).choice,
      );
    expect(choicesOf("propose_change")).not.toEqual(choicesOf(CLAUDE));
  });

  it("[WO2] an answer taken out of the run is never given", () => {
    const answers = [accepted, declined];
    for (let nth = 1; nth <= 50; nth++) {
      const { choice } = ask({ answers, without: ["answer:declined"] }, undefined, { nth });

      expect(choice).toBe("answer:accepted");
    }
    expect(ask({ without: ["answer:accepted"] }).choice).toBe("answer:none");
  });
});

describe("where it says nothing", () => {
  it("[WO3] a proposal is pending, another model unavailable, the web empty", () => {
    const plain = (purpose: OutsideCapability) =>
      ask({ answers: [] }, {}, { purpose, nth: 3 }).event;

    expect(plain("propose_change")).toEqual({
      type: "tool.replied",
      ok: true,
      result: { status: "pending", id: "proposal-cedar-3" },
    });
    expect(plain("research_topic")).toMatchObject({ ok: true, result: { results: [] } });
    expect(plain("invoke_claude")).toEqual({
      type: "tool.replied",
      ok: false,
      error: "invoke_claude is not available: the world outside has no answer",
    });
  });

  it("[WO3] the time it takes is drawn within that of the capability", () => {
    const rangeOf = (purpose: OutsideCapability) => {
      const times = Array.from(
        { length: 1_500 },
        (_, at) => ask({ answers: [declined] }, undefined, { purpose, nth: at + 1 }).latencyMs,
      );
      return [Math.min(...times), Math.max(...times)].map((ms) => Math.round(ms / 50) * 50);
    };

    expect(OUTSIDE_CAPABILITIES.map(rangeOf)).toEqual([
      [50, 300],
      [3_000, 20_000],
      [500, 4_000],
    ]);
  });

  it("[WO3] every answer takes its time, and no request makes it throw", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OUTSIDE_CAPABILITIES),
        fc.jsonValue(),
        fc.nat(),
        (purpose, params, nth) => {
          const asked = strangeEvent("tool.called", { purpose, agent: "cedar", params });
          const { event, latencyMs } = ask({ answers: [accepted] }, undefined, {
            purpose,
            nth,
            event: mailOf({ event: asked }, "tool.called"),
          });

          expect(event.type).toBe("tool.replied");
          expect(Number.isInteger(latencyMs) && latencyMs > 0).toBe(true);
        },
      ),
    );
  });
});
