// What the gateway writes, and whether what becomes active again is what it was.
import { expect, it } from "vitest";
import { Returns } from "../../../src/actors/installs/meter.ts";
import { pointerPath, revisionFolder } from "../../../src/machines/installs/gateway/store.ts";
import type { Changed } from "../../../src/machines/portMail.ts";
import { delivery } from "../../handLog.ts";

const skill = (id: string) => `${revisionFolder("ink", id)}/SKILL.md`;
const active = (id: string | null): Changed => ({
  [pointerPath("ink")]: id === null ? null : `${id}\n`,
});

const returned = (writes: readonly Changed[], from = "gateway") => {
  const returns = new Returns();
  return writes.flatMap((changed, index) =>
    returns.told(delivery({ seq: index + 1, from, event: { type: "files.apply", changed } })),
  );
};

const first = [{ [skill("rev-1")]: "one", [skill("rev-2")]: "two" }, active("rev-1")];

it("[INS119] what becomes active for the first time, or is written anew, has not returned", () => {
  expect(returned([...first, active("rev-1"), active("rev-2"), active(null)])).toEqual([]);
});

it("[INS119] what becomes active again is compared with its first time, byte for byte", () => {
  const back = [active("rev-2"), active("rev-1"), active(null), active("rev-1")];
  expect(returned([...first, ...back])).toEqual([{ isSame: true }, { isSame: true }]);
  const [away, ...again] = back;
  const changed = { [skill("rev-1")]: "One" };
  expect(returned([...first, away ?? {}, changed, ...again])).toEqual([
    { isSame: false },
    { isSame: false },
  ]);
});

it("[INS119] only what the gateway writes counts", () => {
  expect(returned([...first, active("rev-2"), active("rev-1")], "engine")).toEqual([]);
});
