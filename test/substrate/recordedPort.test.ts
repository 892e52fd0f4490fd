import { describe, expect, it } from "vitest";
import type { MailEvent } from "../../src/machines/letter.ts";
import type { Input, PortRequest } from "../../src/substrate/port.ts";
import { RecordingMiss, recordedPorts } from "../../src/substrate/recordedPort.ts";
import { RecordingWriter, readRecording } from "../../src/substrate/recording.ts";
import { simulated } from "./firstMinutes.ts";

type Reply = Extract<Input, { kind: "reply" }>;

const reply = (rest: Partial<Reply> = {}): Reply => ({
  kind: "reply",
  seq: 9,
  port: "port/llm.chat",
  from: "agent/cedar",
  purpose: "plan",
  nth: 1,
  request: "abc",
  latencyMs: 100,
  deliveredAt: 120,
  event: { type: "llm.replied", text: "one" },
  ...rest,
});

const UNANSWERED: Input = {
  kind: "unanswered",
  ...{ seq: 9, port: "port/llm.chat", from: "agent/cedar", purpose: "plan", nth: 1 },
  ...{ request: "abc", deliveredAt: 120 },
};

const request = (rest: Partial<PortRequest> = {}): PortRequest => ({
  port: "port/llm.chat",
  from: "agent/cedar",
  purpose: "plan",
  nth: 1,
  seq: 8,
  nowMs: 20,
  event: { type: "llm.embed", purpose: "plan", texts: [] },
  request: "abc",
  ...rest,
});

const textIn = (event: MailEvent | undefined) =>
  event?.type === "llm.replied" ? event.text : undefined;

/** The recorded model, with nothing behind it. */
function recorded(inputs: readonly Input[]) {
  const scripted = {
    answer: () => {
      throw new Error("a replay calls no port");
    },
  };
  const { ports, served } = recordedPorts(inputs, { "port/llm.chat": scripted });
  const ask = (rest: Partial<PortRequest>) => {
    const answer = ports["port/llm.chat"]?.answer(request(rest));
    return { text: textIn(answer?.event), latencyMs: answer?.latencyMs, choice: answer?.choice };
  };
  return { ask, served };
}

function missOf(run: () => unknown): RecordingMiss | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof RecordingMiss) return error;
    throw error;
  }
}

describe("recordedPorts", () => {
  const live = simulated();
  const inputs = [
    reply({ choice: "plan:a/b" }),
    reply({ nth: 2, latencyMs: 7, event: { type: "llm.replied", text: "two" } }),
    reply({ from: "agent/vault", event: { type: "llm.replied", text: "three" } }),
    { ...UNANSWERED, nth: 3 },
  ];

  it("[RC6] gives each call its reply, latency and choice, in any order", () => {
    const { ask, served } = recorded(inputs);

    expect(ask({ nth: 2 })).toEqual({ text: "two", latencyMs: 7, choice: undefined });
    expect(ask({ from: "agent/vault" })).toMatchObject({ text: "three" });
    expect(ask({})).toEqual({ text: "one", latencyMs: 100, choice: "plan:a/b" });
    expect(served()).toBe(3);
  });

  it("[RC6] calls of two ports, and for two purposes, are counted by themselves", () => {
    const mail = { port: "port/mail", event: { type: "llm.replied", text: "mail" } } as const;
    const goal = { purpose: "goal.choose", event: { type: "llm.replied", text: "goal" } } as const;
    const nobody = { answer: () => null };
    const { ports } = recordedPorts([reply(), reply(mail), reply(goal)], {
      ...{ "port/llm.chat": nobody, "port/mail": nobody },
    });
    const said = (rest: Partial<PortRequest>) => {
      const asked = request(rest);
      return textIn(ports[asked.port]?.answer(asked)?.event);
    };

    expect([said({}), said({ port: "port/mail" }), said({ purpose: "goal.choose" })]).toEqual([
      ...["one", "mail", "goal"],
    ]);
  });

  it.each<[string, Partial<PortRequest>, string | undefined]>([
    ["one call more", { nth: 4 }, "two"],
    ["another text of a call without an answer", { nth: 3, request: "abd" }, "two"],
    ["another text", { request: "abd" }, "one"],
    ["another sender", { from: "agent/cipher" }, undefined],
    ["another purpose", { purpose: "goal.choose" }, undefined],
  ])("[RC7] %s is a miss that shows the nearest recorded call", (_what, rest, nearest) => {
    const { ask, served } = recorded(inputs);

    const miss = missOf(() => ask(rest));

    expect(miss?.request).toMatchObject(rest);
    expect(textIn(miss?.nearest?.event)).toBe(nearest);
    expect(served()).toBe(0);
  });

  it("[RC6] a run from its recording is the run that was recorded", () => {
    const writer = new RecordingWriter();
    const text = live.inputs.map((input) => writer.line(input)).join("");

    const replayed = simulated({ recorded: readRecording(text).inputs });

    expect(replayed.log).toEqual(live.log);
    expect(replayed.inputs).toEqual(live.inputs);
    expect(replayed.result.recordedCalls).toBe(
      live.inputs.filter(({ kind }) => kind === "reply").length,
    );
  });

  it("[RC8] checkpoints of a replay have the digests of the recorded run", () => {
    const replayed = simulated({ recorded: live.inputs });

    expect(live.checkpoints).toHaveLength(Math.floor(live.log.length / 1_000));
    expect(replayed.checkpoints).toEqual(live.checkpoints);
  });

  it("[RC7] a run that asks for something else ends as a miss", () => {
    const { result } = simulated({ recorded: live.inputs.slice(0, 40) });

    expect(result.outcome).toBe("miss");
    expect(result.error).toBeInstanceOf(RecordingMiss);
  });
});
