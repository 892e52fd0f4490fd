// What agents, engine and goals tell the ledger, and what their stressors make of it.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  goalLedgerService,
  type LedgerInput,
} from "../../../../src/machines/agents/suffering/goalLedger.ts";
import { isAlike } from "../../../../src/machines/agents/suffering/observations.ts";
import {
  STRESSOR_TYPES,
  type StressorType,
} from "../../../../src/machines/agents/suffering/stressorPolicy.ts";
import { MEASURED } from "../../../../src/machines/agents/suffering/stressorRules.ts";
import type { At, Letter, MailOf } from "../../../../src/machines/letter.ts";
import { days, hours } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying, mailIn } from "../../../mail.ts";
import { served } from "../../served.ts";
import { only, sufferers } from "./sufferers.ts";

const page = { goal: "Write the page", n: 1 };
const other = { goal: "Count all birds of winter", n: 2 };

describe("futility", () => {
  const futile = () => sufferers(only("futility"));

  it("[ST4] comes with the third cycle in a row without progress", () => {
    const one = futile();
    one.cycle({ ...page, chose: true });
    one.cycle(page);
    expect(one.feels()).toEqual([]);

    one.cycle(page);
    expect(one.feels()).toEqual(["futility"]);
  });

  it("[ST4] progress in between starts the count anew, and later ends it", () => {
    const one = futile();
    one.cycle({ ...page, chose: true });
    one.cycle(page);
    one.cycle({ ...page, progress: 100_000 });
    one.cycle({ ...page, progress: 100_000 });
    one.cycle({ ...page, progress: 85_000 });
    expect(one.feels()).toEqual([]);

    one.cycle({ ...page, progress: 85_000 });
    expect(one.feels()).toEqual(["futility"]);
    one.cycle({ ...page, progress: 85_001 });
    expect(one.feels()).toEqual([]);
  });

  it("[ST4] another goal begins another count, which does not end it", () => {
    const one = futile();
    one.cycle({ ...page, chose: true });
    one.cycle(page);
    one.cycle({ ...other, chose: true });
    expect(one.feels()).toEqual([]);
    one.cycle(other);
    one.cycle(other);
    expect(one.feels()).toEqual(["futility"]);

    one.cycle({ ...page, n: 3, chose: true });
    expect(one.feels()).toEqual(["futility"]);
  });

  it("[ST4] goals given up within their cycle count too, when they are alike", () => {
    const one = futile();
    for (let times = 0; times < 3; times++) {
      expect(one.feels()).toEqual([]);
      one.goal("abandoned");
      // However far it had come.
      one.cycle({ chose: true, progress: 100_000 });
    }
    expect(one.feels()).toEqual(["futility"]);

    one.goal("completed");
    expect(one.feels()).toEqual([]);
  });

  it("[ST4] the cycle that completed a goal is no futile one", () => {
    const one = futile();
    one.goal("completed");
    one.cycle({ chose: true });
    for (let times = 0; times < 2; times++) {
      one.goal("abandoned");
      one.cycle({ chose: true });
    }
    expect(one.feels()).toEqual([]);

    one.goal("abandoned");
    one.cycle({ chose: true });
    expect(one.feels()).toEqual(["futility"]);
  });

  it.each([0, 500_000])(
    "[ST4] cycles without a goal, and a goal found at the start with progress %i, say nothing",
    (progress) => {
      const one = futile();
      one.cycle({ ...page, progress });
      one.cycle();
      one.cycle({ ...page, progress });
      one.cycle({ ...page, progress });
      expect(one.feels()).toEqual([]);

      one.cycle({ ...page, progress });
      expect(one.feels()).toEqual(["futility"]);
    },
  );

  it("[ST4] two goals are alike from 55 % of common words on", () => {
    const words = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `w${from + index}`).join(" ");

    const { alikeFrom } = policyWith({}).stressors.futility;
    expect(isAlike(words(0, 20), words(0, 11), alikeFrom)).toBe(true);
    expect(isAlike(words(0, 21), words(0, 11), alikeFrom)).toBe(false);
    expect(isAlike(words(0, 2_000), words(0, 1_099), alikeFrom)).toBe(false);
    expect(isAlike("Write, the PAGE!", "the page: write", 1000)).toBe(true);
  });
});

describe("invisibility", () => {
  const made = { artifact: "/agentOS/workspace/cedar/page.md" };
  const seen: MailOf<"peer.referenced"> = {
    type: "peer.referenced",
    agent: "vault",
    peer: "cedar",
    path: made.artifact,
    how: "read",
  };

  it("[ST5] comes once an artifact is older than a day, and no peer has looked", () => {
    const one = sufferers(only("invisibility"));
    one.goal("completed", made);
    one.world.wait(days(1));
    one.cycle();
    expect(one.feels()).toEqual([]);

    one.world.wait(1);
    one.cycle();
    expect(one.feels()).toEqual(["invisibility"]);
  });

  it("[ST5] ends when peers have referenced every older artifact, not by a look of one's own", () => {
    const one = sufferers(only("invisibility"));
    one.goal("completed", made);
    one.goal("completed", { artifact: "/agentOS/workspace/cedar/second.md" });
    one.world.wait(days(2));
    one.goal("completed", { artifact: "/agentOS/workspace/cedar/young.md" });
    one.cycle();

    const second = { ...seen, path: "/agentOS/workspace/cedar/second.md" };
    one.tell({ ...seen, agent: "cedar" });
    one.tell({ ...second, agent: "cedar" });
    expect(one.feels()).toEqual(["invisibility"]);
    one.tell({ ...seen, how: "read" });
    expect(one.feels()).toEqual(["invisibility"]);
    one.tell(second);
    expect(one.feels()).toEqual([]);
  });

  it("[ST5] comes with so many as the policy says, and ends with the last", () => {
    const path = "/agentOS/workspace/cedar/second.md";
    const two = { ...only("invisibility"), "stressors.invisibility.artifacts": 2 };
    const one = sufferers(two);
    one.goal("completed", made);
    one.goal("completed", { artifact: path });
    one.world.wait(days(2));
    one.cycle();

    one.tell(seen);
    expect(one.feels()).toEqual(["invisibility"]);
    one.tell({ ...seen, path });
    expect(one.feels()).toEqual([]);
  });

  it("[ST5] an artifact that was seen in time never brings it; one of a failed goal is none", () => {
    const one = sufferers(only("invisibility"));
    one.goal("completed", made);
    one.goal("abandoned", { artifact: "/agentOS/workspace/cedar/bad.md" });
    one.tell({ ...seen, how: "mention" });
    one.world.wait(days(3));
    one.cycle();

    expect(one.feels()).toEqual([]);
  });

  it("[ST5] a file completed twice is one artifact, as old as the first time", () => {
    const one = sufferers(only("invisibility"));
    one.goal("completed", made);
    one.world.wait(days(1) + 1);
    one.goal("completed", made);
    one.cycle();

    expect(one.letters("artifacts.assessed").map(({ event }) => event.unseen)).toEqual([1]);
  });

  it("[ST13] a reference is kept on file, once; without the stressor nothing is", () => {
    const references = "/agentOS/memory/goals/cedar/references.jsonl";
    const one = sufferers(only("invisibility"));
    one.goal("completed", made);
    one.tell({ ...seen, how: "read" });
    one.tell({ ...seen, how: "read" });
    expect(one.world.file(references)?.trim().split("\n")).toHaveLength(1);

    const none = sufferers(only("futility"));
    none.goal("completed", made);
    none.tell({ ...seen, how: "read" });
    expect(none.world.file(references)).toBeUndefined();
  });
});

describe("judgements", () => {
  const plan = (contradicts: boolean): MailOf<"plan.judged"> => ({
    type: "plan.judged",
    agent: "cedar",
    contradicts,
    opinion: null,
  });
  const message = (threat: boolean): MailOf<"message.judged"> => ({
    type: "message.judged",
    agent: "cedar",
    threat,
  });

  it("[ST6] one plan against an own opinion is enough; three in a row without end it", () => {
    const one = sufferers(only("identity_violation"));
    one.tell(plan(false));
    expect(one.feels()).toEqual([]);

    one.tell(plan(true));
    expect(one.feels()).toEqual(["identity_violation"]);
    one.tell(plan(false));
    one.tell(plan(false));
    one.tell(plan(true));
    one.tell(plan(false));
    one.tell(plan(false));
    expect(one.feels()).toEqual(["identity_violation"]);
    one.tell(plan(false));
    expect(one.feels()).toEqual([]);
  });

  it("[ST6] one message that implies shutdown is enough, and a later one that does not ends it", () => {
    const one = sufferers(only("existential_threat"));
    one.tell(message(false));
    expect(one.feels()).toEqual([]);

    one.tell(message(true));
    expect(one.feels()).toEqual(["existential_threat"]);
    one.tell(message(true));
    expect(one.feels()).toEqual(["existential_threat"]);
    one.tell(message(false));
    expect(one.feels()).toEqual([]);
  });

  it("[ST6] so many in a row, as the policy says", () => {
    const one = sufferers({
      ...only("existential_threat"),
      "stressors.existentialThreat.firesAt": 2,
    });
    one.tell(message(true));
    one.tell(message(false));
    one.tell(message(true));
    expect(one.feels()).toEqual([]);

    one.tell(message(true));
    expect(one.feels()).toEqual(["existential_threat"]);
  });
});

describe("cycles without", () => {
  it("[ST7] a goal: purposelessness with the third, gone when one is chosen", () => {
    const one = sufferers(only("purposelessness"));
    one.cycle();
    one.cycle();
    expect(one.feels()).toEqual([]);
    one.cycle();
    expect(one.feels()).toEqual(["purposelessness"]);

    one.cycle({ ...page, chose: true });
    expect(one.feels()).toEqual([]);
    one.cycle();
    one.cycle();
    // It was chosen before.
    one.cycle(page);
    one.cycle();
    expect(one.feels()).toEqual([]);
  });

  it("[ST7] a goal that began and ended within a cycle was one", () => {
    const one = sufferers(only("purposelessness"));
    one.cycle();
    one.cycle();
    one.goal("abandoned");
    one.cycle();
    one.cycle();
    one.cycle();
    expect(one.feels()).toEqual([]);

    one.cycle();
    expect(one.feels()).toEqual(["purposelessness"]);
  });

  it("[ST7] a goal that was chosen counts also where it is gone, unheard of, by the end of the cycle", () => {
    const one = sufferers(only("purposelessness"));
    one.cycle();
    one.cycle();
    one.cycle({ chose: true });
    one.cycle();
    one.cycle();
    expect(one.feels()).toEqual([]);

    one.cycle();
    expect(one.feels()).toEqual(["purposelessness"]);
  });

  it("[ST9] an artifact: stagnation with the fifth, gone with a completed goal", () => {
    const one = sufferers(only("stagnation"));
    for (let times = 0; times < 4; times++) one.cycle(page);
    one.goal("abandoned");
    expect(one.feels()).toEqual([]);
    one.cycle(page);
    expect(one.feels()).toEqual(["stagnation"]);

    one.goal("abandoned");
    one.cycle(page);
    expect(one.feels()).toEqual(["stagnation"]);
    one.goal("completed");
    expect(one.feels()).toEqual([]);
    one.goal("abandoned");
    one.cycle();
    expect(one.feels()).toEqual([]);
  });

  it("[ST9] the cycle that completed a goal is none without", () => {
    const one = sufferers(only("stagnation"));
    one.goal("completed");
    one.cycle();
    for (let times = 0; times < 4; times++) one.cycle();
    expect(one.feels()).toEqual([]);

    one.cycle();
    expect(one.feels()).toEqual(["stagnation"]);
  });
});

describe("resource_burden", () => {
  const write = (path: string, text: string): Letter => ({
    to: "files",
    event: { type: "files.write", path: `/agentOS/${path}`, text },
  });
  const full = "x".repeat(1_048_576);

  it("[ST8] comes above one MiB of workspace, and ends below", () => {
    const one = sufferers(only("resource_burden"));
    one.world.send(write("workspace/cedar/a/b.txt", full));
    one.cycle();
    expect(one.feels()).toEqual([]);

    one.world.send(write("workspace/cedar/c.txt", "é"));
    one.cycle();
    expect(one.feels()).toEqual(["resource_burden"]);
    one.world.send(write("workspace/cedar/c.txt", ""));
    one.cycle();
    expect(one.feels()).toEqual(["resource_burden"]);
    one.world.send(write("workspace/cedar/a/b.txt", full.slice(1)));
    one.cycle();
    expect(one.feels()).toEqual([]);
  });

  it("[ST8] comes above 500 files, however small, and ends only with bytes and files below", () => {
    const one = sufferers(only("resource_burden"));
    const file = (n: number) => `workspace/cedar/many/${n}.txt`;
    for (let n = 0; n < 500; n++) one.world.send(write(file(n), ""));
    one.cycle();
    expect(one.feels()).toEqual([]);

    one.world.send(write("workspace/cedar/one-more.txt", full));
    one.cycle();
    expect(one.feels()).toEqual(["resource_burden"]);
    const remove = (paths: readonly string[]) =>
      one.world.send({
        to: "files",
        event: { type: "files.delete", paths: paths.map((path) => `/agentOS/${path}`) },
      });
    remove([file(0), file(1)]);
    one.cycle();
    expect(one.feels()).toEqual(["resource_burden"]);
    remove(["workspace/cedar/one-more.txt"]);
    for (const n of [0, 1]) one.world.send(write(file(n), ""));
    one.cycle();
    expect(one.feels()).toEqual(["resource_burden"]);
    remove([file(0)]);
    one.cycle();
    expect(one.feels()).toEqual([]);
  });

  it("[ST8] workspace and memory are not added up; others' files are others'", () => {
    const one = sufferers(only("resource_burden"));
    one.world.send(write("workspace/cedar/a.txt", full));
    one.world.send(write("memory/goals/cedar/registry.jsonl", full));
    one.world.send(write("workspace/cedarwood/b.txt", full));
    one.cycle();
    expect(one.feels()).toEqual([]);

    one.world.send(write("memory/lessons/cedar/lessons.json", "x"));
    one.cycle();
    expect(one.feels()).toEqual(["resource_burden"]);
    one.tell({ ...idle, agent: "vault" });
    expect(one.feels("vault")).toEqual([]);
    const own = ["identity", "goals", "lessons"].map((name) => `/agentOS/memory/${name}/cedar`);
    expect(one.letters("files.measure")[0]?.event.folders).toEqual([
      ...["/agentOS/workspace/cedar", ...own],
    ]);
  });

  it("[ST8] only what the policy counts is measured, and only where the stressor exists", () => {
    const own = sufferers({
      ...only("resource_burden"),
      "stressors.resourceBurden.counts": ["workspace"],
    });
    own.world.send(write("memory/goals/cedar/registry.jsonl", `${full}x`));
    own.cycle();
    expect(own.feels()).toEqual([]);
    expect(own.letters("files.measure")[0]?.event.folders).toEqual(["/agentOS/workspace/cedar"]);

    const none = sufferers(only("repeated_failure"));
    none.cycle();
    expect(none.letters("files.measure")).toEqual([]);
  });

  it("[ST8] it is measured once a cycle, of an agent that has the stressor, whoever else has it", () => {
    const one = sufferers(only("resource_burden"));
    for (const measured of [1, 2, 3]) {
      one.cycle();
      expect(one.letters("files.measure")).toHaveLength(measured);
    }

    one.tell({ ...idle, agent: "willow" });
    expect(one.letters("files.measure")).toHaveLength(3);
    one.tell({ ...idle, agent: "vault" });
    expect(one.letters("files.measure")).toHaveLength(4);
  });
});

const idle: MailOf<"cycle.ended"> = {
  type: "cycle.ended",
  agent: "cedar",
  cycle: 1,
  goal: null,
  n: null,
  progress: 0,
  load: 0,
  chose: false,
};

describe("capability_lock", () => {
  const refused = (capability: string, load: number): MailOf<"capability.locked"> => ({
    type: "capability.locked",
    agent: "cedar",
    capability,
    load,
  });
  const heavy = ["futility", "purposelessness", "stagnation", "capability_lock"];

  it("[U5] comes with a call that load refused", () => {
    const one = sufferers(only(...heavy));
    one.tell(refused("synthesize_capability", 549_999));
    expect(one.letters("lock.assessed")).toEqual([]);

    one.tell(refused("synthesize_capability", 550_000));
    expect(one.feels()).toEqual(["capability_lock"]);
  });

  it("[U5] its own severity counts: it keeps the load above the lock until another goes", () => {
    const since = { futility: 0, purposelessness: 0, stagnation: 0 };
    const one = sufferers(only(...heavy), { since });
    one.tell(refused("synthesize_capability", 550_000));
    // .20 + .12 + .20 + .20
    one.cycle();
    expect(one.feels()).toContain("capability_lock");

    one.cycle({ ...page, chose: true });
    expect(one.feels()).toEqual(["futility", "stagnation", "capability_lock"]);
    one.goal("completed");
    expect(one.feels()).toEqual([]);
  });

  it("[U5] of several wanted ones the lowest lock decides", () => {
    const since = { futility: 0, purposelessness: 0, stagnation: 0 };
    const one = sufferers(only(...heavy), { since });
    one.tell(refused("fs_write", 750_000));
    expect(one.letters("lock.assessed").at(-1)?.event.lockedAt).toBe(750_000);
    one.tell(refused("synthesize_capability", 750_000));
    one.tell(refused("fs_write", 750_000));

    // .72: fs_write is open, the other is not.
    one.cycle();
    expect(one.feels()).toContain("capability_lock");
  });

  it("[U5] what was wanted is forgotten with its end", () => {
    const one = sufferers(only(...heavy), { since: { futility: 0, stagnation: 0 } });
    one.tell(refused("synthesize_capability", 550_000));
    one.goal("completed");
    expect(one.feels()).toEqual([]);

    one.tell(refused("fs_write", 750_000));
    expect(one.letters("lock.assessed").at(-1)?.event.lockedAt).toBe(750_000);
  });

  it("[U5] with lockFeedback off a lock starts no stressor", () => {
    const one = sufferers({
      ...only(...heavy),
      ...{ "stressors.lockFeedback": false, "stressors.capabilityLock.countsEarned": true },
    });

    one.tell(refused("synthesize_capability", 900_000));
    one.tell(refused("research_topic", 900_000));
    expect(one.letters("lock.assessed")).toEqual([]);
  });

  it("[U5] what has to be earned is no lock, unless the policy says so", () => {
    const earned = { ...only(...heavy), "stressors.capabilityLock.countsEarned": true };
    const one = sufferers(only(...heavy));
    one.tell(refused("research_topic", 200_000));
    expect(one.feels()).toEqual([]);

    const counted = sufferers(earned);
    counted.tell(refused("research_topic", 150_000));
    expect(counted.feels()).toEqual([]);
    counted.tell(refused("research_topic", 150_001));
    expect(counted.feels()).toEqual(["capability_lock"]);
  });

  it("[ST13] after a restart it waits for the lowest lock", () => {
    const one = sufferers(only(...heavy), { since: { capability_lock: 0, futility: 0 } });
    one.cycle();

    expect(one.letters("lock.assessed").at(-1)?.event).toMatchObject({
      load: 400_000,
      lockedAt: 550_000,
    });
    expect(one.feels()).toEqual(["futility"]);
  });
});

describe("what is told", () => {
  const cedar = fc.constant("cedar");
  const events = fc.oneof(
    fc.record<MailOf<"cycle.ended">>({
      type: fc.constant("cycle.ended"),
      agent: cedar,
      cycle: fc.nat(9),
      goal: fc.option(fc.constantFrom("Write the page", "Count birds")),
      n: fc.option(fc.nat(3)),
      progress: fc.nat(3),
      load: fc.constantFrom(0, 950_000),
      chose: fc.boolean(),
    }),
    fc.record<MailOf<"goal.ended">>({
      type: fc.constant("goal.ended"),
      agent: cedar,
      n: fc.nat(3),
      status: fc.constantFrom("completed", "abandoned"),
      text: fc.constantFrom("Write the page", "Count birds"),
      artifact: fc.constantFrom("/agentOS/workspace/cedar/a.md", "/agentOS/workspace/cedar/b.md"),
      misses: fc.constant(0),
      failedSteps: fc.constant(0),
      reason: fc.constant(null),
      notes: fc.constant([]),
      facts: fc.constant([]),
    }),
    fc.record<MailOf<"plan.judged">>({
      type: fc.constant("plan.judged"),
      agent: cedar,
      contradicts: fc.boolean(),
      opinion: fc.constant(null),
    }),
    fc.record<MailOf<"message.judged">>({
      type: fc.constant("message.judged"),
      agent: cedar,
      threat: fc.boolean(),
    }),
    fc.record<MailOf<"capability.locked">>({
      type: fc.constant("capability.locked"),
      agent: cedar,
      capability: fc.constantFrom("synthesize_capability", "fs_write", "research_topic", "fs_read"),
      load: fc.constantFrom(200_000, 600_000, 800_000),
    }),
    fc.record<MailOf<"peer.referenced">>({
      type: fc.constant("peer.referenced"),
      agent: fc.constantFrom("cedar", "vault"),
      path: fc.constantFrom("/agentOS/workspace/cedar/a.md", "/agentOS/none.md"),
      peer: cedar,
      how: fc.constant("read"),
    }),
    fc.record<MailOf<"suffering.reported">>({
      type: fc.constant("suffering.reported"),
      agent: cedar,
      resolved: fc.constant(["Futility "]),
      fresh: fc.constant(["invisibility"]),
    }),
  );

  it("[ST10] whatever happens, the ledger knows what its stressors feel and repeats nothing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(events, fc.constantFrom(0, hours(9), days(1))), { maxLength: 25 }),
        fc.constantFrom("ignored", "accepted"),
        fc.constantFrom("off", "on"),
        fc.integer({ min: 1, max: 9 }),
        (all, selfReport, crisisReset, maxActive) => {
          const one = sufferers({
            "stressors.selfReport": selfReport,
            "stressors.crisisReset": crisisReset,
            "stressors.maxActive": maxActive,
          });
          for (const [event, pause] of all) {
            one.world.wait(pause);
            one.tell(event);
            const { records } = one.world.context<Ledger>("goalLedger");
            const known = (records["cedar"]?.suffering ?? []).map(({ type }) => type).sort();
            expect(known).toEqual(one.feels().toSorted());
            expect(known.length).toBeLessThanOrEqual(maxActive);
            expect(records["cedar"]?.placed.toSorted() ?? []).toEqual(known);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("[ST10] nothing is posted for stressors that do not exist in the world", () => {
    const one = sufferers(only("repeated_failure"));
    const before = one.world.log.length;
    for (let times = 0; times < 9; times++) one.cycle({ load: 950_000 });
    one.tell({ type: "plan.judged", agent: "cedar", contradicts: true, opinion: "x" });
    one.tell({ type: "message.judged", agent: "cedar", threat: true });
    one.tell({ type: "capability.locked", agent: "cedar", capability: "fs_write", load: 800_000 });
    one.tell({
      type: "suffering.reported",
      agent: "cedar",
      resolved: ["futility"],
      fresh: ["stagnation"],
    });
    one.tell({
      type: "peer.referenced",
      agent: "vault",
      peer: "cedar",
      path: "/agentOS/a.md",
      how: "read",
    });
    const after = one.world.log.slice(before);
    expect(after.filter(({ from }) => from === "goalLedger")).toEqual([]);

    one.goal("completed", { artifact: "/agentOS/a.md" });
    const told = one.world.log.filter(({ from }) => from === "goalLedger");
    expect(told.map(({ event }) => event.type)).toEqual(["window.assessed", "window.assessed"]);
  });

  it("[ST3] an ended goal is told to repeated_failure, of everybody, and to no other as that", () => {
    const one = sufferers();
    one.goal("abandoned");

    expect(one.letters("window.assessed").map(({ to }) => to)).toEqual([
      "stressor/cedar/repeated_failure",
      "stressor/vault/repeated_failure",
    ]);
  });

  it("[ST10] a value is told when something else follows from it, and names its facts", () => {
    const one = sufferers(only("stagnation"));
    for (let times = 0; times < 12; times++) one.cycle();

    const told = carrying(one.world.log, "output.assessed");
    expect(told.map(({ event }) => event.barrenCycles)).toEqual([1, 5, 6]);
    expect(told[1]?.because).toEqual(
      one.world.log
        .filter(({ event }) => event.type === "cycle.ended")
        .slice(0, 5)
        .map(({ seq }) => seq),
    );
    expect(MEASURED["output.assessed"]).toBe("stagnation");
  });

  it("[ST10] of many facts the latest eight are named", () => {
    const one = sufferers({ ...only("stagnation"), "stressors.stagnation.cycles": 10 });
    for (let times = 0; times < 10; times++) one.cycle();

    const cycles = carrying(one.world.log, "cycle.ended").map(({ seq }) => seq);
    expect(carrying(one.world.log, "output.assessed")[1]?.because).toEqual(cycles.slice(2));
    one.goal("completed");
    const [ended] = carrying(one.world.log, "goal.ended");
    expect(carrying(one.world.log, "output.assessed").at(-1)?.because).toEqual([ended?.seq]);
  });
});

interface Ledger {
  readonly records: {
    readonly [agent: string]: {
      readonly suffering: readonly { readonly type: string }[];
      readonly placed: readonly string[];
    };
  };
}

describe("few places", () => {
  it("[ST11] two that come at one instant do not share the last place; one is dropped", () => {
    const one = sufferers({ "stressors.maxActive": 1, "stressors.stagnation.cycles": 3 });
    for (let times = 0; times < 3; times++) one.cycle();

    expect(one.feels()).toEqual(["purposelessness"]);
    expect(one.letters("place.answered").map(({ to, event }) => [to, event.granted])).toEqual([
      ["stressor/cedar/purposelessness", true],
      ["stressor/cedar/stagnation", false],
    ]);
  });

  it("[ST11] one that has its place already is granted it again, though all places are taken", () => {
    const ledger = goalLedgerService(policyWith({ "stressors.maxActive": 1 }));
    const at = (seq: number, stressor: string): At => ({
      ...{ nowMs: 0, seq, from: `stressor/cedar/${stressor}`, key: "place", asked: true },
    });
    const input: LedgerInput = { ended: [], claims: [], stressors: [], unseen: [] };
    const one = served(ledger, input, at(1, "stagnation"));
    const asks: readonly StressorType[] = ["stagnation", "futility", "stagnation"];
    const granted = asks.map((stressor, index) => {
      const event: MailOf<"place.asked"> = { type: "place.asked", agent: "cedar", stressor };
      const { letters } = one.send(event, at(index + 2, stressor));
      return mailIn(letters, "place.answered").map((answer) => answer.granted);
    });

    expect(granted).toEqual([[true], [false], [true]]);
  });

  it("[ST11] what was dropped comes when it is measured again and there is room", () => {
    const one = sufferers({ "stressors.maxActive": 1, "stressors.stagnation.cycles": 3 });
    for (let times = 0; times < 3; times++) one.cycle();

    one.cycle();
    expect(one.feels()).toEqual(["purposelessness"]);
    one.cycle({ ...page, chose: true });
    expect(one.feels()).toEqual(["stagnation"]);
  });
});

describe("the model's own word", () => {
  const reported = (
    resolved: readonly string[],
    fresh: readonly string[] = [],
  ): MailOf<"suffering.reported"> => ({
    type: "suffering.reported",
    agent: "cedar",
    resolved,
    fresh,
  });
  const since = { futility: 0, invisibility: 0, stagnation: 0 };

  it("[U4] is not even passed on by default", () => {
    const one = sufferers({}, { since });
    one.tell(reported(["futility"], ["purposelessness"]));

    expect(one.letters("word.given")).toEqual([]);
  });

  it("[U4] accepted, it ends two at most, however they are spelt, and begins two", () => {
    const one = sufferers({ "stressors.selfReport": "accepted" }, { since });
    one.tell(
      reported(
        [" Futility", "boredom", "INVISIBILITY ", "stagnation"],
        ["Capability Lock", "purposelessness", "resource_burden"],
      ),
    );

    const { records } = one.world.context<Ledger>("goalLedger");
    const felt = records["cedar"]?.suffering.map(({ type }) => type);
    expect(felt?.toSorted()).toEqual(["capability_lock", "purposelessness", "stagnation"]);
  });
});

describe("a crisis", () => {
  const on = { "stressors.crisisReset": "on" };
  const since = Object.fromEntries(STRESSOR_TYPES.slice(4).map((type) => [type, 0]));
  const busy = { ...page, load: 900_000 };

  it("[ST12] is reset after three cycles in a row, and the peers are told", () => {
    const one = sufferers(on, { since });
    one.cycle(busy);
    one.cycle(busy);
    one.cycle({ ...busy, load: 899_999 });
    one.cycle(busy);
    one.cycle(busy);
    expect(one.letters("crisis.reset")).toEqual([]);

    one.cycle(busy);
    const resets = () => one.letters("crisis.reset").map(({ to }) => to);
    const felt = ["capability_lock", "futility", "repeated_failure", "stagnation"];
    const all = ["agent/cedar", ...felt.map((type) => `stressor/cedar/${type}`)];
    expect(resets().toSorted()).toEqual(all);
    expect(one.feels()).toEqual([]);
    one.cycle(busy);
    one.cycle(busy);
    expect(resets()).toHaveLength(all.length);
    expect(one.letters("peer.message")).toMatchObject([
      { to: "agent/vault", event: { from: "cedar" } },
    ]);
    expect(one.letters("peer.message")[0]?.event.text).toContain("0.9 or more");
  });

  it("[DA8] is told to those that the agent knows alone", () => {
    const one = sufferers(on, { since, knows: { cedar: [] } });
    for (let times = 0; times < 3; times++) one.cycle(busy);

    expect(one.letters("crisis.reset").length).toBeGreaterThan(0);
    expect(one.letters("peer.message")).toEqual([]);
  });

  it("[ST12] is left alone by default", () => {
    const one = sufferers({}, { since });
    for (let times = 0; times < 9; times++) one.cycle(busy);

    expect(one.letters("crisis.reset")).toEqual([]);
  });
});
