import { expect, it } from "vitest";
import { MEASURED } from "../src/machines/agents/suffering/stressorRules.ts";
import type { MailEvent, MailOf } from "../src/machines/letter.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { narrate } from "./builtIn.ts";
import { choosing, delivery, felt, goalStarted } from "./handLog.ts";
import { strangeEvent } from "./mail.ts";
import { played, syntScenario } from "./syntWorld.ts";

const to = "stressor/cedar/futility";
const said = (event: MailEvent, whom = to) => narrate(delivery({ seq: 2, to: whom, event }));

it("[VB45] an event that no run of ours carries is told as such, and `replay` is named", () => {
  const fields = { plan: 7, artefact: 3, unwritten: 5, ok: true, capability: "x" };
  const types = ["plan.made", "synth.stated", "files.read", "call.finished"];
  const said = types.map((type) =>
    narrate(delivery({ seq: 1, event: strangeEvent(type, fields) })),
  );

  expect(said).toContainEqual(expect.stringContaining("`replay` shows what belongs there"));
  expect(narrate(delivery({ seq: 1, event: strangeEvent("constructor") }))).toBeNull();
});

it("[VB12] has words for every value a stressor is told, whichever way it goes", () => {
  for (const type of Object.keys(MEASURED)) {
    // Each takes of these what it knows.
    const of = (counts: object) => said(strangeEvent(type, counts));
    const none = of({ stuckCycles: 0, idleCycles: 0, barrenCycles: 0, along: 0, calm: 0 });
    const some = of({ stuckCycles: 3, idleCycles: 3, barrenCycles: 5, along: 3, calm: 1 });

    expect(none).toMatch(/\.$/);
    expect(some).toMatch(/\.$/);
  }
});

it("[VB12] says a change of a stressor once, to the one who feels it", () => {
  expect(narrate(felt(2, 1_000))).toBe("cedar felt repeated_failure.");
  expect(narrate(felt(2, null))).toBe("cedar was relieved of repeated_failure.");
  expect(narrate(felt(2, 1_000, { to: "engine" }))).toBeNull();
});

it("[VB12] says what was dropped, locked, judged and reset", () => {
  expect(said({ type: "place.answered", granted: true })).toBeNull();
  expect(said({ type: "place.answered", granted: false })).toContain("no room");
  const locked = { type: "capability.locked", agent: "vault", capability: "fs_write" } as const;
  expect(said({ ...locked, load: 760_000 })).toBe(
    "vault wanted fs_write, and a lock refused it (load 0.76).",
  );
  const judged = { type: "plan.judged", agent: "vault", opinion: "Tools lie" } as const;
  expect(said({ ...judged, contradicts: true })).toContain('"Tools lie"');
  expect(said({ ...judged, contradicts: false })).toBeNull();
  const heard = { type: "message.judged", agent: "vault" } as const;
  expect(said({ ...heard, threat: true })).toBe("What vault heard was judged a threat.");
  expect(said({ ...heard, threat: false })).toBeNull();
  const signal = { type: "outside.signal", agents: ["cedar", "vault"], text: "Fire." } as const;
  const outside = delivery({ seq: 2, to: "daemon", event: signal, cause: null });
  expect(narrate(outside)).toBe('cedar, vault noticed from outside: "Fire."');
  expect(said(signal)).toBeNull();
  expect(said({ type: "crisis.reset", agent: "vault" }, "agent/vault")).toContain("vault");
  expect(said({ type: "crisis.reset", agent: "vault" })).toBeNull();
});

it("[AG9] says which goals an agent made itself, and from what", () => {
  const started = (input: object) => narrate(goalStarted(2, { agent: "vault", n: 3, ...input }));

  expect(started({ fallback: "peer-file" })).toBe(
    "vault's model gave no goal, so vault made goal 3 itself: from a peer's file.",
  );
  expect(started({ slug: "fallback-journal" })).toBeNull();
  expect(said({ type: "actor.start", machine: "engine", address: "engine", input: {} })).toBeNull();
});

it("[VB12] says under what load a goal was looked for, once a prompt speaks of it", () => {
  const stressors = ["stagnation", "futility"].map((type) => ({
    ...{ type, severity: 200_000, description: "", condition: "" },
  }));
  const view = { agent: "vault", load: 400_000, stressors };

  expect(said(choosing({ ...view, level: "prominent" }))).toBe(
    "vault looked for a goal under a load of 0.40: stagnation, futility.",
  );
  expect(said(choosing({ ...view, level: "calm" }))).toBeNull();
  expect(said(strangeEvent("llm.asked"))).toBeNull();
});

const answered = (answer: unknown, before: Delivery["before"], whom = "agent/vault") =>
  narrate(
    delivery({
      ...{ seq: 2, to: whom, before },
      event: {
        type: "llm.replied",
        text: typeof answer === "string" ? answer : JSON.stringify(answer),
      },
    }),
  );

it("[VB12] says what the model saw in a message and in a plan, and what it told a tool", () => {
  const judging = { weighing: "judging" };

  expect(answered({ threat: true }, "hearing")).toContain("a threat in what it heard");
  expect(answered({ threat: false }, "hearing")).toContain("no threat");
  expect(answered({ contradicts: "Tools lie" }, judging)).toContain("against one of its own");
  expect(answered({ contradicts: null }, judging)).toContain("along with its opinions");
  expect(answered("Ask a person.", "on", "engine")).toBe('The model said: "Ask a person."');
});

it("[VB29] an answer is told as what was asked for, and only when it could be used", () => {
  const steps = [{ intent: "write file" }];
  const goal = { content: "Write", artifact: "/agentOS/workspace/a.md", slug: "a" };

  expect(answered({ steps }, "choosing")).toBe(
    "vault's model gave no goal that could be used: there is no content.",
  );
  expect(answered({ ...goal, steps }, "choosing")).toBe("vault's model chose a goal: Write.");
  expect(answered({ ...goal, artifact: "/home/a" }, "choosing")).toBe(
    "vault's model gave no goal that could be used: the artifact is no path below /agentOS/.",
  );
  expect(answered({ ...goal, steps }, "planning")).toBe("vault's model made a plan of 1 step.");
  expect(answered({ steps: ["go", ...steps] }, "planning")).toContain("a plan of 1 step.");
  expect(answered(goal, "planning")).toContain("no plan that could be used: there are no steps");
  expect(answered({ steps: [] }, "planning")).toContain("there are no steps");
  expect(answered({ steps: ["go"] }, "planning")).toContain("no step has an intent or a tool");
  expect(answered('{"content": "Wri', "choosing")).toContain("no JSON object");
  expect(answered({ action: "rest" }, "choosing")).toBe("vault's model chose to rest.");
  expect(answered(goal, "acting")).toContain("too late: the question was no longer open");
  expect(answered("I cannot do that.", "calling", "synt/req-0001/draft-1/call-1")).toBe(
    "req-0001's model gave an answer that is neither JSON nor code.",
  );
});

it("[VB29] an answer that its question no longer waited for is not told as done, even in a state that waits for another", () => {
  const goal = { content: "Write", artifact: "/agentOS/workspace/a.md", slug: "a" };
  const late = (fate: Delivery["fate"]) =>
    narrate(
      delivery({
        ...{ seq: 2, to: "agent/vault", before: "choosing", fate },
        event: { type: "llm.replied", text: JSON.stringify(goal) },
      }),
    );

  expect(late("handled")).toBe("vault's model chose a goal: Write.");
  for (const fate of ["stale", "ignored"] as const) {
    expect(late(fate)).toBe("vault's model answered too late: the question was no longer open.");
  }
});

it("[VB29] what changed nothing is not told as done", () => {
  const folder = "/agentOS/tools/dynamic";
  const told = (event: Delivery["event"], changes: Delivery["changes"] = []) =>
    narrate(delivery({ seq: 2, to: "engine", from: "outside/tidy", event, changes }));
  const entries = [{ path: ["entries"], to: [] }];
  const move = {
    type: "files.move",
    path: `${folder}/a.json`,
    to: "/agentOS/tools/archive/a.json",
  } as const;
  const note: MailOf<"folder.changed"> = {
    ...{ type: "folder.changed", path: `${folder}/a.json`, text: '{"description":"does"}' },
  };

  expect(told(move)).toContain("could not move");
  expect(told(move, [{ path: ["tree"], to: {} }])).toContain("The operator moved");
  expect(told(note)).toBe(
    "a.json appeared in the tools folder; the engine's entries stayed as they were.",
  );
  expect(told(note, entries)).toContain(
    'the engine registered it at once, without loading code ("does").',
  );
  expect(told({ ...note, text: null })).toContain("the engine had no entry to drop");
  expect(told({ ...note, text: null }, entries)).toContain("the engine dropped its entry");
});

it("[VB29] what nobody earned is not told as refused by a load, nor one cycle as several", () => {
  const unearned = {
    type: "capability.locked",
    agent: "vault",
    capability: "research_topic",
  } as const;

  expect(said({ ...unearned, load: 0 })).not.toMatch(/its load of 0\.00 refused/);
  expect(said({ type: "pursuit.assessed", stuckCycles: 1 })).toBe(
    "cedar spent one cycle on a goal without progress.",
  );
  expect(said({ type: "plans.assessed", against: 0, along: 2 })).toContain("not judged");
});

/** Questions whose answers are told, and answers that matter only when they are bad. */
const PLUMBING = new Set(
  [
    "actor.stopped catalogue.answered catalogue.asked embed.replied executor.ended executor.found executor.granted",
    "executor.run executor.sought executor.synthesized executor.used files.append files.read",
    "files.replied files.snapshot files.watch files.write llm.asked llm.embed money.asked paid.ended",
    "plan.made pool.admitted pool.asked python.parse python.parsed sandbox.replied sandbox.run",
    "sign.asked sign.signed sign.verified synth.ended synth.progressed turn.opened",
  ].flatMap((line) => line.split(" ")),
);

it("[VB12] has words without raw values for all that is said in worlds with synt", () => {
  const silent = new Set<string>();
  const told = new Set<string>();
  for (const name of ["budget", "specialise", "night-dossier", "month-lock", "gym", "day-lock"]) {
    for (const one of played(syntScenario(`synt-${name}`)).log) {
      const says = narrate(one);
      (says === null ? silent : told).add(one.event.type);
      if (says === null) continue;
      expect(says).toMatch(/[.!?"]$/);
      expect(says).not.toMatch(/[{}]|undefined|\[object|\.\.$/);
    }
  }

  for (const type of told) silent.delete(type);
  // Plumbing: questions whose answers are told, and steps that are told by their outcome.
  expect([...silent].filter((type) => !PLUMBING.has(type))).toEqual([]);
});

it("[VB12] says what the person, the models and the purse of synt said", () => {
  const synt = "synt/req-0007/draft-1/call-2";
  const replied = (answer: unknown, whom = synt) =>
    said({ type: "llm.replied", text: JSON.stringify(answer) }, whom);
  const decided = (event: object) => said({ type: "person.decided", ...event }, "synt/req-0007");

  expect(replied({ name: null, reason: "outside the vocabulary" })).toBe(
    "req-0007's model found no name: outside the vocabulary.",
  );
  expect(replied({ score: 0.4, reasoning: "Reaches far.", violates: "it spies" })).toBe(
    "req-0007's model judged it at 0.40, and saw a breach: it spies: Reaches far.",
  );
  expect(replied({ steps: ["read_files", "sort_entries"] }, "planner/first")).toBe(
    "The planner of turn first planned read_files → sort_entries.",
  );
  expect(said({ type: "llm.replied", text: "def invoke(args):" }, synt)).toBe(
    "req-0007's model wrote code.",
  );
  expect(decided({ decision: "amend", feedback: "Sort it too" })).toBe(
    "The person wanted a change: Sort it too.",
  );
  const decisions = [
    { request: "req-0001", decision: "approve" },
    { request: "req-0002", decision: "discard" },
  ];
  expect(decided({ decisions })).toBe("The person approved (req-0001), turned it down (req-0002).");
  expect(said({ type: "money.settled", call: "call-1", actual: null }, "synt")).toContain(
    "counts in full",
  );
  expect(said({ type: "money.settled", call: "call-1", actual: 1_950_000 }, "synt")).toBe(
    "That call cost 1.95 ct.",
  );
  expect(said({ type: "pool.admitted", ok: false, why: "the pool has it" }, "synt/req-0007")).toBe(
    "The pool turned it away: the pool has it.",
  );
  const file = "/agentOS/workspace/executors/sort/sort.py";
  expect(said({ type: "folder.changed", path: file, text: null }, "pool")).toBe(
    "sort/sort.py left the executors' folder.",
  );
});
