/** What is promised of synt. */
import fc from "fast-check";
import type { PartPromises, PartWorlds } from "../../../contract/part.ts";
import type { Overrides } from "../../../contract/policy.ts";
import type { Leaves } from "../../../contract/policyNeighbours.ts";
import type { WorldEvent, WorldSource } from "../../../contract/worldSource.ts";
import { EXECUTORS_FOLDER } from "../../../machines/synt/contract.ts";
import { hours, minutes } from "../../../machines/units.ts";
import { rightAnswers, WISHES } from "./answers.ts";
import { syntAuditProperties } from "./audit.ts";
import { syntCascadeProperties } from "./cascade.ts";
import { syntGateProperties } from "./gate.ts";
import { syntLockProperties } from "./locks.ts";
import { syntMoneyProperties } from "./money.ts";
import { syntNear } from "./near.ts";
import { syntRewardProperties } from "./reward.ts";
import { SyntSeen } from "./seen.ts";
import { syntTermProperties } from "./terms.ts";
import { syntUnitProperties } from "./unit.ts";
import { randomSyntWorld, SYNT_NAMES, WILLING_PEOPLE } from "./world.ts";

const properties: PartPromises["properties"] = [
  ...syntCascadeProperties,
  ...syntGateProperties,
  ...syntMoneyProperties,
  ...syntLockProperties,
  ...syntRewardProperties,
  ...syntTermProperties,
  ...syntAuditProperties,
  ...syntUnitProperties,
];

/** By a chain where there is one, and by a new executor. */
const MET = [WISHES[0], WISHES[1]];

/** One world in four is smooth. */
export const anySyntWorld = (leaves: Leaves, fixed: Overrides = {}): fc.Arbitrary<WorldSource> =>
  fc.oneof(
    { arbitrary: randomSyntWorld(leaves, fixed), weight: 3 },
    { arbitrary: smoothSyntWorld(leaves, fixed), weight: 1 },
  );

const smoothSyntWorld = (leaves: Leaves, fixed: Overrides): fc.Arbitrary<WorldSource> =>
  fc
    .record({
      world: randomSyntWorld(leaves, fixed),
      wish: fc.constantFrom(...MET),
      askedMs: fc.nat(minutes(1)),
      file: fc.constantFrom("NAME.py", "manifest.json.sig"),
      writtenMs: fc.integer({ min: minutes(10), max: minutes(40) }),
    })
    .map(({ world, wish, askedMs, file, writtenMs }) => {
      const turn = (id: string, ms: number) => ({
        ...{ id, at: `${ms}ms`, says: wish.says, args: { items: [1, 2] } },
      });
      const path = `${EXECUTORS_FOLDER}/${wish.name}/${file.replace("NAME", wish.name)}`;
      return {
        ...world,
        runsFor: "1h",
        policy: { "synt.naming.exceptions": SYNT_NAMES, ...fixed },
        events: [{ id: "hand", at: `${writtenMs}ms`, does: "files.write", path, text: "{}" }],
        synt: {
          ...(world["synt"] as object),
          ...{ tiers: {}, answers: rightAnswers(0.9), person: WILLING_PEOPLE },
          turns: [turn("turn-1", askedMs), turn("turn-2", hours(1) - minutes(10))],
        },
      };
    });

const worlds: PartWorlds = {
  random: anySyntWorld,
  near: syntNear,
  cut: (source, isKept) => {
    const synt = source["synt"] as { readonly turns?: readonly WorldEvent[] } | undefined;
    return synt?.turns === undefined
      ? source
      : { ...source, synt: { ...synt, turns: synt.turns.filter(isKept) } };
  },
};

export const promises: PartPromises = {
  properties,
  seen: () => ({ synt: new SyntSeen() }),
  worlds,
};
