import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createActor } from "xstate";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import type { Letter } from "../../../../src/machines/letter.ts";
import {
  type ExecutorEvent,
  type ExecutorInput,
  executorLifecycleMachine,
} from "../../../../src/machines/synt/pool/executorLifecycle.ts";
import { days } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { casesOf, golden, isAbsent } from "../metnosOracle.ts";

type Told = ExecutorEvent extends infer E
  ? E extends ExecutorEvent
    ? Omit<E, "at"> & { readonly onDay?: number }
    : never
  : never;

const input: ExecutorInput = {
  name: "order_files",
  version: "0.1.0",
  isHandcrafted: false,
  pool: "pool",
};

/** Plays events; each on its day, else on that of the one before. */
function played(
  events: readonly Told[],
  given: Partial<ExecutorInput> = {},
  set: { [path: string]: PolicyValue } = {},
) {
  const letters: Letter[] = [];
  const at = (day: number, seq: number) => ({ nowMs: days(day), seq, from: "somebody" });
  const actor = createActor(executorLifecycleMachine(policyWith(set)), {
    input: { ...input, ...given, at: at(0, 0) },
  });
  actor.on("outbox", (outbox) => letters.push(...outbox.letters));
  actor.start();
  let day = 0;
  for (const [index, { onDay = day, ...event }] of events.entries()) {
    day = onDay;
    if (actor.getSnapshot().status === "active")
      actor.send({ ...event, at: at(day, index + 1) } as ExecutorEvent);
  }
  return {
    state: actor.getSnapshot().value as string,
    told: letters.map(({ event }) => event),
  };
}

const birth: readonly Told[] = [{ type: "executor.synthesized" }, { type: "executor.granted" }];
const endOf = (...events: readonly Told[]) => played([...birth, ...events]).state;

describe("the life of an executor", () => {
  it("[SN51] is synthesized, granted and active; the pool is told each time", () => {
    const { state, told } = played(birth);

    expect(state).toBe("active");
    expect(told).toEqual([
      {
        type: "executor.changed",
        name: "order_files",
        version: "0.1.0",
        state: "synthesized",
        isLoaded: false,
        isVisible: false,
        into: null,
      },
      expect.objectContaining({ state: "active", isLoaded: true, isVisible: true }),
    ]);
  });

  it("[SN51] without the grant nothing makes it active", () => {
    const type = fc.constantFrom(
      ...([
        "executor.synthesized",
        "executor.rejected",
        "executor.used",
        "executor.released",
        "executor.revoked",
        "signature.broken",
        "night.came",
      ] as const),
    );
    const ways = fc.array(
      type.map((one) => ({ type: one })),
      { maxLength: 12 },
    );

    fc.assert(
      fc.property(ways, (events) => {
        const { told } = played(events as Told[]);
        expect(told.some((one) => one.type === "executor.changed" && one.isLoaded)).toBe(false);
      }),
    );
  });

  it.each(["fused", "superseded"] as const)(
    "[SN52] once %s it stays loaded until no mnest cites it",
    (state) => {
      const into = { type: `executor.${state}`, into: "order_file" } as const;

      const { told, state: now } = played([
        ...birth,
        into,
        { type: "residue.counted", mnests: 1 },
        { type: "night.came", onDay: 400 },
      ]);

      expect(now).toBe(state);
      expect(told.at(-1)).toMatchObject({
        state,
        isLoaded: true,
        isVisible: false,
        into: into.into,
      });
      expect(endOf(into, { type: "residue.counted", mnests: 0 })).toBe("archived");
    },
  );

  it("[SN52] is deprecated after 30 days without use, and archived 14 days later", () => {
    const night = (onDay: number) => ({ type: "night.came", onDay }) as const;

    expect(endOf(night(29))).toBe("active");
    expect(endOf(night(30))).toBe("deprecated");
    expect(endOf({ type: "executor.used", onDay: 1 }, night(30))).toBe("active");
    expect(endOf(night(30), night(43))).toBe("deprecated");
    expect(endOf(night(30), night(44))).toBe("archived");
    expect(endOf(night(30), { type: "executor.used", onDay: 43 }, night(44))).toBe("active");
  });

  it("[SN52] a handcrafted one does not age", () => {
    const night = { type: "night.came", onDay: 400 } as const;

    expect(played([...birth, night], { isHandcrafted: true }).state).toBe("active");
  });

  it("[SN53] is archived or quarantined when it is revoked, by policy", () => {
    const revoked = [...birth, { type: "executor.revoked" } as const];
    const quarantine = { "synt.lifecycle.revoke": "quarantine" };

    expect(played(revoked).state).toBe("archived");
    expect(played(revoked, {}, quarantine).state).toBe("quarantined");
    const released = [...revoked, { type: "executor.released" } as const];
    expect(played(released, {}, quarantine).state).toBe("active");
    const forgotten = [...birth, { type: "night.came", onDay: 30 } as const];
    const late = [...forgotten, { type: "executor.revoked", onDay: 31 } as const];
    expect(played(late).state).toBe("archived");
    expect(played(late, {}, quarantine).state).toBe("quarantined");
    const covered = [...birth, { type: "executor.fused", into: "x" } as const, revoked.at(-1)];
    expect(played(covered as Told[], {}, quarantine).state).toBe("archived");
  });

  it("[SN53] archived is the end: nothing that comes after says or changes anything", () => {
    const gone = [...birth, { type: "executor.revoked" } as const];
    const type = fc.constantFrom(
      ...(["executor.granted", "executor.used", "executor.released", "executor.revoked"] as const),
      ...(["executor.synthesized", "signature.broken", "night.came"] as const),
    );

    fc.assert(
      fc.property(fc.array(type, { maxLength: 8 }), (types) => {
        const after = played([
          ...gone,
          ...types.map((one) => ({ type: one, onDay: 400 })),
        ] as Told[]);
        expect(after).toEqual(played(gone));
      }),
    );
    expect(played(gone).told.at(-1)).toMatchObject({ state: "archived", isLoaded: false });
  });

  it("[SN51, SP3] what is deprecated can still be called, and is not shown; what was tampered with is neither", () => {
    const deprecated = played([...birth, { type: "night.came", onDay: 30 }]);
    const loaded: readonly Told[] = [
      { type: "executor.used" },
      { type: "night.came", onDay: 30 },
      { type: "executor.fused", into: "x" },
      { type: "executor.superseded", into: "x" },
    ];

    expect(deprecated.told.at(-1)).toMatchObject({ isLoaded: true, isVisible: false });
    for (const one of loaded) {
      const { told } = played([...birth, one, { type: "signature.broken" }]);
      expect(told.at(-1)).toMatchObject({ isLoaded: false, isVisible: false });
    }
  });

  it("[SN53] a broken signature quarantines it; one that is covered already is archived", () => {
    const broken = { type: "signature.broken" } as const;
    const gone = { type: "executor.fused", into: "x" } as const;

    expect(played([{ type: "executor.synthesized" }, broken]).state).toBe("quarantined");
    expect(endOf(broken)).toBe("quarantined");
    expect(endOf(gone, broken)).toBe("archived");
    expect(endOf({ type: "executor.superseded", into: "x" }, broken)).toBe("archived");
    expect(endOf({ type: "night.came", onDay: 30 }, broken)).toBe("quarantined");
    expect(endOf(broken, { type: "executor.rejected" })).toBe("archived");
    expect(endOf(broken, { type: "executor.released" })).toBe("active");
    const released = { type: "executor.released" } as const;
    expect(played([{ type: "executor.synthesized" }, broken, released]).state).toBe("synthesized");
  });
});

interface Row {
  readonly name: string;
  readonly first?: string;
  readonly last?: string;
  readonly dep?: string;
  readonly arc?: string;
  readonly source?: string | null;
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / days(1);

/** The nights of a case, as the executor of its one row lives them; its last use is day 0. */
function nights({ now, rows, runs }: { now: string; rows: readonly Row[]; runs: number }) {
  const [row] = rows;
  const night = (onDay: number) => ({ type: "night.came", onDay }) as const;
  const unused = row?.dep === undefined ? [] : [night(30)];
  const since = row?.dep ?? row?.last ?? row?.first ?? now;
  const onDay = daysBetween(since, now) + (row?.dep === undefined ? 0 : 30);
  const isHandcrafted = row?.source !== undefined;
  const lived = [...birth, ...unused, ...(row?.arc === undefined ? [] : [night(400)])];
  const ageing = Array.from({ length: runs }, () => night(Math.max(onDay, 0)));
  return [
    played(lived, { isHandcrafted }).state,
    played([...lived, ...ageing], { isHandcrafted }).state,
  ];
}

describe.skipIf(isAbsent)(golden("ageing"), () => {
  it("[SN52, SN41] which nights deprecate and archive", () => {
    interface Night {
      readonly deprecated: readonly string[];
      readonly archived: readonly string[];
    }
    const cases = casesOf<{ now: string; rows: Row[]; runs: number }, Night[]>("ager.executor");

    expect(cases).toHaveLength(8);
    for (const { id, input: asked, expected } of cases) {
      const [before, now] = nights(asked);
      const becomes = (state: string) => before !== state && now === state;
      expect([id, becomes("deprecated"), becomes("archived")]).toEqual([
        id,
        expected.some(({ deprecated }) => deprecated.length > 0),
        expected.some(({ archived }) => archived.length > 0),
      ]);
    }
  });
});
