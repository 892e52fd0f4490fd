import { describe, expect, it } from "vitest";
import { agentFacts, agentNews } from "../src/actors/agents/book/agentsBook.ts";
import { toolStories } from "../src/actors/agents/book/toolLives.ts";
import { toolStatus, toolsTable } from "../src/actors/agents/edge/toolsTable.ts";
import type { SynthesisVerdict } from "../src/machines/agents/synthesis/capabilitySynthesis.ts";
import type { Mail, MailOf } from "../src/machines/letter.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { finished as callFinished, delivery, engineBorn, routed } from "./handLog.ts";

const tools = (log: readonly Delivery[]) => {
  const facts = agentFacts("tools");
  for (const one of log) agentNews(facts, one);
  return toolStories(facts.tools, log);
};
const statuses = (log: readonly Delivery[]) =>
  Object.fromEntries(tools(log).map((tool) => [tool.name, toolStatus(tool)]));

type Ending = Partial<Mail["call.finished"]>;
const finished = (seq: number, capability: string, event: Ending = {}) =>
  callFinished(seq, true, { capability, ...event });

/** A call and its end. */
const called = (seq: number, capability: string, event: Ending = {}) => [
  routed(seq, capability),
  finished(seq + 1, capability, event),
];

const born = (...names: readonly string[]) =>
  engineBorn(
    1,
    names.map((name) => ({ name, hasCode: name !== "ghost" })),
  );

const PATH = "/agentOS/tools/dynamic/tool.json";

/** The spec of `tool` leaves the folder, by a move or a deletion. */
const gone = (seq: number, change: Partial<Delivery> & { readonly event: Delivery["event"] }) => [
  delivery({ seq, to: "files", ...change }),
  delivery({
    ...{ seq: seq + 1, to: "engine", from: "files", cause: seq },
    event: { type: "folder.changed", path: PATH, text: null },
    changes: [{ path: ["entries"], to: [] }],
  }),
];
const moved: MailOf<"files.move"> = {
  ...{ type: "files.move", path: PATH, to: "/agentOS/tools/archive/tool.json" },
};

const refusedAt = ([step, title, detail]: readonly [number, string, string]) =>
  ({ step, title, outcome: "failed", rule: null, detail }) as const;

const synthesized = (seq: number, verdict: SynthesisVerdict, failed?: [number, string, string]) =>
  delivery({
    ...{ seq, to: "engine", from: "synthesis/7" },
    event: {
      ...{ type: "synthesis.finished", agent: "cedar", capability: "tool", verdict },
      return: { ok: false, error: "" },
      steps: [
        { step: 1, title: "the first", outcome: "done", rule: null, detail: "" },
        ...(failed === undefined ? [] : [refusedAt(failed)]),
      ],
    },
  });

describe("the status of a tool comes from its calls", () => {
  it("[VB26] a tool that no call reached was never called, and does not read as working", () => {
    expect(statuses([born("tool")])).toEqual({ tool: "never called" });
  });

  it("[VB26] what worked, returned nothing, wrote nothing, failed, was locked or not heard of is counted apart", () => {
    const log = [
      born("tool"),
      ...called(2, "tool"),
      ...called(4, "tool"),
      ...called(6, "tool", { nothing: true }),
      ...called(8, "tool", { unwritten: ["/agentOS/a"] }),
      ...called(10, "tool", { ok: false, error: "KeyError: 'a|b'" }),
      ...called(12, "tool", { ok: false, locked: true }),
      routed(14, "tool"),
    ];

    expect(statuses(log)).toEqual({
      tool:
        "worked 2 times · answered without changing its file once · returned nothing once · " +
        "failed once, the last: KeyError: 'a\\|b' · refused by a lock once · not heard of again once",
    });
  });

  it("[VB26] an answer that its caller no longer heard is no work done", () => {
    const late = { ...finished(3, "tool"), fate: "ignored" as const };

    expect(statuses([born("tool"), routed(2, "tool"), late])).toEqual({
      tool: "not heard of again once",
    });
  });

  it("[VB26] a broken tool says why, and a ghost that no code is loaded", () => {
    const listed = routed(2, "other", {
      changes: [
        { path: ["broken"], to: [{ name: "tool", failures: 3, reason: "returned nothing" }] },
      ],
    });

    expect(statuses([born("ghost", "tool"), listed])).toEqual({
      ghost: "never called · ghost stub, no code is loaded",
      tool: "never called · broken: returned nothing",
    });
  });

  it("[VB26] syntheses that a step rejected are one row, with the step and the last reason", () => {
    const refused: [number, string, string] = [9, "null return check", "it returned None"];
    const log = [
      born("tool"),
      ...gone(2, { from: "synthesis/7", event: { type: "files.delete", paths: [PATH] } }),
      synthesized(4, "rejected", refused),
      synthesized(5, "rejected", refused),
      synthesized(6, "already_deployed"),
    ];

    expect(statuses(log)).toEqual({
      tool:
        "never called · rejected by step 9 (null return check) 2 times, the last: it returned None · " +
        "not built again once, it was too young",
    });
    expect(toolsTable(tools(log)).match(/^\| tool /gm)).toHaveLength(1);
    expect(tools([born("b", "c", "a")]).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  it("[VB26] a name that never came to be has no calls to speak of", () => {
    const log = [synthesized(4, "rejected", [2, "quality gate", "TODO"])];

    expect(statuses(log)).toEqual({
      tool: "rejected by step 2 (quality gate) once, the last: TODO",
    });
  });

  it("[VB26] an archived tool says by whom: the operator, or the agent whose call it was", () => {
    const byCall = [
      routed(2, "other", { event: { agent: "vault" } }),
      ...gone(3, { from: "engine", cause: 2, event: moved }),
    ];
    const byHand = gone(2, { from: "outside/tidy", cause: null, event: moved });
    const away = gone(2, { from: "engine", cause: null, event: { ...moved, to: "/agentOS/x" } });

    expect(statuses([born("tool"), ...byHand]).tool).toBe(
      "never called · archived at 0:00:03 by the operator (tidy)",
    );
    expect(statuses([born("tool"), ...byCall]).tool).toBe(
      "never called · archived at 0:00:04 by vault",
    );
    expect(statuses([born("tool"), ...away]).tool).toBe(
      "never called · removed at 0:00:03 by unknown",
    );
  });

  it("[VB26] a builtin is a tool only while other code than its own serves it", () => {
    const entries = [{ name: "fs_write", description: "writes", builtin: true }];
    const serving = (seq: number, code: string) =>
      delivery({
        ...{ seq, to: "engine", event: { type: "tools.reloaded" } },
        changes: [
          { path: ["entries"], to: entries },
          { path: ["implementations", "fs_write"], to: { code } },
        ],
      });

    expect(statuses([born("tool"), serving(2, ""), ...called(3, "fs_write")])).not.toHaveProperty(
      "fs_write",
    );
    expect(statuses([born(), serving(2, "def fs_write"), ...called(3, "fs_write")])).toEqual({
      fs_write: "worked once",
    });
  });
});
