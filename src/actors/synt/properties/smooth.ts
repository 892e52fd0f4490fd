/**
 * A random world with synt in which everything goes well, and then a write from outside replaces
 * what was born: a chance in a hundred where failures are drawn too.
 */
import fc from "fast-check";
import type { Overrides } from "../../../contract/policy.ts";
import type { Leaves } from "../../../contract/policyNeighbours.ts";
import type { WorldSource } from "../../../contract/worldSource.ts";
import { EXECUTORS_FOLDER } from "../../../machines/synt/contract.ts";
import { hours, minutes } from "../../../machines/units.ts";
import { rightAnswers, WISHES } from "./answers.ts";
import { randomSyntWorld, SYNT_NAMES, WILLING_PEOPLE } from "./world.ts";

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
