// The keeper of the pool alone: what the fast path replays, and how far back a sweep looks.

import { expect, it } from "vitest";
import type { At, Letter, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import { agerService } from "../../../../src/machines/synt/ager.ts";
import { EXECUTORS_FOLDER } from "../../../../src/machines/synt/contract.ts";
import { poolService } from "../../../../src/machines/synt/pool/pool.ts";
import {
  type Memo,
  type Offer,
  type PoolInput,
  unseen,
} from "../../../../src/machines/synt/pool/poolState.ts";
import { days } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { mailIn, mailOf } from "../../../mail.ts";
import { lettersTo } from "../../driven.ts";
import { served } from "../../served.ts";
import { serving } from "../serving.ts";

const supervised = poolService(policyWith({}));
const full = poolService(policyWith({ "synt.compose.autonomy": "full" }));

const executor = (name: string) => ({
  ...{ name, version: "1", description: name, takes: [], gives: [], profile: {}, shape: {} },
  seen: unseen,
});
const chain = ["read_files", "move_files"];
const memo: Memo = {
  ...{ query: "sort it", chain, uses: 3, args: [] },
  ...{ isComposed: false, gaps: [], lastMs: 0, isPromoted: false },
};

/** A pool that is sent one event after another. */
function pool(given: Partial<PoolInput> = {}, service = supervised) {
  const input: PoolInput = {
    ...{ traces: [], missing: [], memos: [] },
    executors: [...chain, "read_texts"].map(executor),
    ...given,
  };
  let seq = 1;
  const at = (nowMs: number, more: Partial<At> = {}): At => ({ nowMs, seq, from: "x", ...more });
  const alone = serving(service, input, at(0));
  const send = (event: MailEvent, nowMs = 0, more: Partial<At> = {}): readonly Letter[] => {
    seq += 1;
    return alone.send(event, at(nowMs, more));
  };
  const asked = () =>
    mailOf(
      send({ type: "catalogue.asked", query: "sort it" }, 0, { asked: true })[0],
      "catalogue.answered",
    );
  for (const name of chain) {
    const active = { state: "active", isLoaded: true, isVisible: true, into: null } as const;
    send({ type: "executor.changed", name, version: "1", ...active });
  }
  return {
    send,
    asked,
    replays: () => asked().replay,
    ran: (composed: boolean, ok = true, missed: readonly string[] = []) =>
      send({ type: "chain.ran", chain, query: "sort it", args: [], composed, missed, ok }),
    /** An executor that the person approved, made for these missing names. */
    enters: (name: string, covers: readonly string[]) => {
      const made = { code: "x", manifest: {}, signature: "ab", key: "cd" };
      const offer: Offer = {
        ...{ request: "req-0001", facts: executor(name), made, covers, grantedBy: 1 },
        ...{ replaces: { how: "fused", members: [] }, specialises: null },
      };
      const [question] = send({ type: "executor.offered", offer }, 0, { from: "synt/req-0001" });
      send({ type: "sign.verified", ok: true }, 0, { key: question?.ask ?? "" });
    },
    night: (nowMs: number, lookbackMs: number) =>
      send({ type: "night.came", night: 1, lookbackMs }, nowMs),
  };
}

it("[SN55] a planner is shown the head of each description, of visible executors alone", () => {
  const described = chain.map((name) => ({
    ...executor(name),
    description: `SCOPO: ${name} works. PATTERN: call it. NON: more OUT: a list`,
  }));
  const { executors } = pool({ executors: [...described, executor("read_texts")] }).asked();

  expect(executors).toEqual(
    chain.map((name) => ({ name, head: `SCOPO: ${name} works. PATTERN: call it. NON: more` })),
  );
});

it("[SN25] replays a sequence from its third use to its fiftieth", () => {
  const uses = [2, 3, 50, 51].map((count) => {
    const { replays } = pool({ memos: [{ ...memo, uses: count }] });
    return replays();
  });

  expect(uses).toEqual([null, chain, chain, null]);
});

it("[SN62] the fast path is no way round the gate: a composed chain is asked for each time", () => {
  const { ran, replays } = pool();
  for (const _ of Array(20)) ran(true);

  expect(replays()).toBeNull();
});

it("[SN62, SN30] in autonomy full it is replayed after its fifth clean run, and not after a failed one", () => {
  const { ran, replays } = pool({}, full);
  for (const _ of Array(4)) ran(true);
  expect(replays()).toBeNull();
  ran(true);
  expect(replays()).toEqual(chain);

  ran(true, false);
  expect(replays()).toBeNull();
});

it("[SN62] a replay of a composed chain names the clean runs that grant it, one of a planned chain none", () => {
  const composed = pool({}, full);
  for (const _ of Array(7)) composed.ran(true);
  const planned = pool({ memos: [memo] }, full);

  expect(composed.asked()).toMatchObject({ replay: chain, unasked: 7 });
  expect(planned.asked()).toMatchObject({ replay: chain });
  expect(planned.asked()).not.toHaveProperty("unasked");
});

it("[SN62] what was approved for the gap, or for the chain itself, goes before the chain, while planners are shown it", () => {
  for (const covers of [["sort_files"], ["move_files"]]) {
    const { ran, replays, enters, send } = pool({}, full);
    for (const _ of Array(5)) ran(true, true, ["sort_files"]);
    enters("sort_files_fast", covers);
    expect(replays()).toEqual(chain);

    const shown = { state: "active", isLoaded: true, isVisible: true, into: null } as const;
    send({ type: "executor.changed", name: "sort_files_fast", version: "1", ...shown });
    expect(replays()).toBeNull();
    const [answer] = send({ type: "pool.asked" }, 0, { asked: true });
    expect(mailOf(answer, "pool.answered").executors.at(-1)).toMatchObject({
      closes: ["sort_files_fast", ...covers],
    });

    const gone = { state: "quarantined", isLoaded: false, isVisible: false, into: null } as const;
    send({ type: "executor.changed", name: "sort_files_fast", version: "1", ...gone });
    expect(replays()).toEqual(chain);
  }
});

it("[SN62] what was approved for another gap takes no chain's place", () => {
  const { ran, replays, enters, send } = pool({}, full);
  for (const _ of Array(5)) ran(true, true, ["sort_files"]);
  enters("read_tables", ["read_sheets"]);
  const shown = { state: "active", isLoaded: true, isVisible: true, into: null } as const;
  send({ type: "executor.changed", name: "read_tables", version: "1", ...shown });

  expect(replays()).toEqual(chain);
});

it("[SN62] a replay does not make a composed chain a planned one: after a failure it is asked for again", () => {
  const { ran, replays } = pool({}, full);
  for (const _ of Array(5)) ran(true);
  // Replayed, nothing is composed in that turn.
  ran(false);
  expect(replays()).toEqual(chain);

  ran(false, false);
  expect(replays()).toBeNull();
});

it("[SN71] homeostasis looks back 30 days, or as far as it is told, every night and when it is asked for", () => {
  const ager = served(agerService(policyWith({})), { startsAtMs: 0 });
  const looks = (event: MailEvent) =>
    ager
      .send(event)
      .letters.flatMap(({ to, event: said, delayMs }) =>
        to === "pool" && said.type === "night.came" ? [said.lookbackMs] : (delayMs ?? []),
      );

  expect(looks({ type: "night.came" })).toEqual([days(30), expect.any(Number)]);
  expect(looks({ type: "homeostasis.asked", lookbackMs: 7 })).toEqual([7]);
  expect(looks({ type: "homeostasis.asked", lookbackMs: null })).toEqual([days(30)]);
});

it("[SN71] a sweep looks at what was used within its lookback, not exactly so long ago", () => {
  const wantsAt = (nowMs: number) => {
    const { night } = pool({ memos: [{ ...memo, query: "read them", uses: 60 }] });
    return lettersTo(night(nowMs, days(30)), "synt").length;
  };

  expect(wantsAt(days(30) - 1)).toBe(1);
  expect(wantsAt(days(30))).toBe(0);
});

it("[SN44] at night a case is hot from nine tenths of thirty uses on", () => {
  const wanted = (runs: number, hot: number) => {
    const seen = { ...unseen, runs, ok: runs, cases: { pdf: hot } };
    const [first = "", second = ""] = chain;
    const { night } = pool({ executors: [{ ...executor(first), seen }, executor(second)] });
    return lettersTo(night(days(1), days(30)), "synt").map(({ event }) =>
      event.type === "synth.requested" ? [event.strategy, event.need.name] : [],
    );
  };

  expect(wanted(30, 27)).toEqual([["specialise", "read_files_pdf"]]);
  expect([wanted(30, 26), wanted(29, 29)]).toEqual([[], []]);
});

it("[SN66] at night mnests fade, and each executor that is loaded is told to age", () => {
  const traces = [{ from: "read_files", to: "move_files", uses: 1, failed: 0, overMs: 1 }];
  const { send, night } = pool({ traces });
  const told = (day: number) =>
    night(days(day), days(30)).flatMap(({ to, event }) => (event.type === "night.came" ? to : []));
  const edges = (day: number) =>
    mailIn(send({ type: "pool.asked" }, days(day), { asked: true }), "pool.answered")[0]?.edges;

  expect(told(22)).toEqual(["executor/read_files", "executor/move_files"]);
  expect(edges(22)).toHaveLength(1);
  told(23);
  expect(edges(23)).toEqual([]);
});

it("[SN66, SN71] what a short-sighted sweep passed over, a later one finds, and once only", () => {
  const { night } = pool({ memos: [{ ...memo, query: "read them", uses: 60 }] });
  const wants = (nowMs: number, lookbackMs: number) =>
    lettersTo(night(nowMs, lookbackMs), "synt").length;

  expect(wants(days(1), days(1))).toBe(0);
  expect(wants(days(2), days(30))).toBe(1);
  expect(wants(days(3), days(30))).toBe(0);
});

it("[SN26] shows no traces of executors that planners are not shown", () => {
  const trace = { uses: 9, failed: 0, overMs: 1_000 };
  const one = pool({
    traces: [
      { from: "read_files", to: "move_files", ...trace },
      { from: "move_files", to: "read_texts", ...trace },
    ],
  });
  const edges = () => {
    const [shown] = one.send({ type: "pool.asked" }, 0, { asked: true });
    return mailOf(shown, "pool.answered").edges.map(({ to }) => to);
  };

  expect(edges()).toEqual(["move_files"]);
  const gone = { state: "quarantined", isLoaded: false, isVisible: false, into: null } as const;
  one.send({ type: "executor.changed", name: "move_files", version: "1", ...gone });
  expect(edges()).toEqual([]);
});

/** What a request is shown of what is missed. */
const gapsIn = (send: ReturnType<typeof pool>["send"]) =>
  send({ type: "pool.asked" }, 0, { asked: true })[0]?.event;
const missing = (name: string): MailOf<"proto.raised"> => ({
  type: "proto.raised",
  missing: { intent: "sort it", name, from: "read_files", hints: [], chain: [], args: [] },
});

it("[SN75] what an active executor has under the name of a proto-mnest is no gap", () => {
  const { send, ran } = pool();
  // The chain is called move_files, which is active.
  ran(true);
  send(missing("move_files_pdf"));
  expect(gapsIn(send)).toMatchObject({ uncovered: ["move_files_pdf"] });
  expect(gapsIn(send)).toHaveProperty("stoodIn", {});

  send({
    ...{ type: "executor.changed", name: "move_files", version: "1", state: "archived" },
    ...{ isLoaded: false, isVisible: false, into: null },
  });
  expect(gapsIn(send)).toMatchObject({
    uncovered: ["move_files", "move_files_pdf"],
    stoodIn: { move_files: [chain] },
  });
});

it("[SN75] what a user asked for stays a gap, whatever chain stood in for it", () => {
  const { send } = pool();
  const sorted = ["read_files", "sort_texts"];
  const stoodIn = (missed: readonly string[]) =>
    send({
      ...{ type: "chain.ran", chain: sorted, query: "sort it", args: [], missed },
      composed: true,
      ok: true,
    });
  stoodIn([]);
  stoodIn([]);
  expect(gapsIn(send)).toMatchObject({ stoodIn: { sort_files: [sorted] } });

  send(missing("sort_files"));
  stoodIn([]);
  expect(gapsIn(send)).toMatchObject({ uncovered: ["sort_files"] });
  expect(gapsIn(send)).toHaveProperty("stoodIn", {});
});

it("[SN75] who left a proto-mnest is forgotten with it: what a user asked for, once it has faded", () => {
  const { send, night } = pool();
  const sorted = ["read_files", "sort_texts"];
  send(missing("sort_files"));
  // A proto-mnest of .30 is below .05 after a hundred days.
  night(days(100), days(1));
  send(
    {
      ...{ type: "chain.ran", chain: sorted, query: "sort it", args: [], missed: [] },
      ...{ composed: true, ok: true },
    },
    days(100),
  );

  expect(gapsIn(send)).toHaveProperty("stoodIn", { sort_files: [sorted] });
});

it("[SN75] who left a proto-mnest is forgotten with it: what a user asked for, once an executor closed it", () => {
  const { send, enters } = pool();
  const sorted = ["read_files", "sort_texts"];
  const isNow = (state: "active" | "archived", isVisible: boolean) =>
    send({
      ...{ type: "executor.changed", name: "sort_files", version: "1", state, into: null },
      ...{ isLoaded: isVisible, isVisible },
    });
  send(missing("sort_files"));
  enters("sort_files", ["sort_files"]);
  isNow("active", true);
  expect(gapsIn(send)).toMatchObject({ uncovered: [] });
  isNow("archived", false);
  send({
    ...{ type: "chain.ran", chain: sorted, query: "sort it", args: [], missed: [] },
    ...{ composed: true, ok: true },
  });

  expect(gapsIn(send)).toHaveProperty("stoodIn", { sort_files: [sorted] });
});

it("[SN109] an executor whose name the pool has does not enter, and its request is told so", () => {
  const { send } = pool();
  const made = { code: "x", manifest: {}, signature: "ab", key: "cd" };
  const facts = { name: "move_files", version: "2", description: "another", takes: [], gives: [] };
  const offer: Offer = {
    ...{ request: "req-0001", facts: { ...facts, profile: {}, shape: {} }, made },
    ...{ replaces: { how: "fused", members: [] }, specialises: null, covers: [], grantedBy: 1 },
  };
  const [question] = send({ type: "executor.offered", offer }, 0, { from: "synt/req-0001" });
  const letters = send({ type: "sign.verified", ok: true }, 0, { key: question?.ask ?? "" });

  expect(letters.map(({ to, event }) => [to, event])).toEqual([
    ["synt/req-0001", { type: "pool.admitted", ok: false, why: "the pool has move_files already" }],
  ]);
});

it("[SN54] what is signed is manifest and code; what lies in its folder otherwise is looked at again", () => {
  const { send, enters } = pool();
  enters("sort_files", []);
  const lies = (file: string, text: string) =>
    send({ type: "folder.changed", path: `${EXECUTORS_FOLDER}/sort_files/${file}`, text });
  const asks = (...changed: Parameters<typeof lies>) =>
    mailIn(lies(...changed), "sign.asked").map(({ text, signature }) => [text, signature]);

  expect([asks("sort_files.py", "x"), asks("manifest.json", "{}"), asks("more.py", "y")]).toEqual([
    ...[[], [], []],
  ]);
  expect(asks("sort_files.py", "y")).toEqual([['{"code":"y","manifest":{}}', "ab"]]);
  expect(asks("manifest.json", "none")).toEqual([['{"code":"x","manifest":"none"}', "ab"]]);
  expect(asks("manifest.json.sig", "00")).toEqual([['{"code":"x","manifest":{}}', "00"]]);
  const [question] = lies("sort_files.py", "");
  expect(send({ type: "sign.verified", ok: false }, 0, { key: question?.ask ?? "" })).toMatchObject(
    [{ to: "executor/sort_files", event: { type: "signature.broken" } }],
  );
});

it("[SN52] each night what cites a fused or superseded one is counted: mnests from it and to it", () => {
  const traces = [{ from: "read_files", to: "move_files", uses: 1, failed: 0, overMs: 1 }];
  const { send, night } = pool({ traces });
  const gone = { version: "1", isLoaded: true, isVisible: false, into: "sort_files" } as const;
  send({ type: "executor.changed", name: "read_files", state: "fused", ...gone });
  send({ type: "executor.changed", name: "move_files", state: "superseded", ...gone });
  const counted = (nowMs: number) =>
    mailIn(night(nowMs, days(30)), "residue.counted").map(({ mnests }) => mnests);

  expect(counted(0)).toEqual([1, 1]);
  // By then it has faded.
  expect(counted(days(30))).toEqual([0, 0]);
});
