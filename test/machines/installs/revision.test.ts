// A revision as an actor: how it stands is what it was told, in an order that leads there.
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type RevisionInput,
  revisionMachine,
  STEPS,
} from "../../../src/machines/installs/revisions/revision.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import { driven } from "../driven.ts";
import { REVISION, REVISION_STATES, revisionSteps } from "./lifeTables.ts";

const begun = (state: RevisionInput["state"]) =>
  driven<RevisionInput>(revisionMachine(), { revision: REVISION, agent: "scout", state });

/** What leads where, by the table of the books; superseded and rolled back is only what was active. */
function after(state: string, { type }: MailEvent): string {
  if (type === "revision.superseded") return state === "active" ? "superseded" : state;
  if (type === "revision.rolledBack") return state === "active" ? "rolled_back" : state;
  const { to, from } = STEPS[type.slice("revision.".length) as keyof typeof STEPS];
  return from.some((one) => one === state) ? to : state;
}

it("[INS70] whatever it is told, it takes the steps of the books and no others", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...revisionSteps), { maxLength: 20 }), (events) => {
      const one = begun("draft");
      let expected = "draft";
      for (const event of events) {
        one.send(event);
        expected = after(expected, event);
        expect(one.value).toBe(expected);
      }
    }),
  );
});

it("[INS70] after a restart it stands as the books say, and says so", () => {
  for (const from of REVISION_STATES) {
    for (const state of REVISION_STATES) {
      const one = begun(from);

      const letters = one.send({ type: "revision.recalled", revision: REVISION, state });

      expect(one.value).toBe(state);
      const event = { type: "revision.standing", revision: REVISION, state };
      expect(letters).toEqual([{ to: "peer", re: one.seq, event }]);
    }
  }
});
