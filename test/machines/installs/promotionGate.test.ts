// The gate before a revision becomes active, as an actor.
import fc from "fast-check";
import { expect, it } from "vitest";
import { promotionGateMachine } from "../../../src/machines/installs/gate/promotionGate.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import { driven } from "../driven.ts";
import { gateEvents, REVISION } from "./lifeTables.ts";

const begun = () =>
  driven<{ readonly refused: number }>(promotionGateMachine(), {
    ...{ revision: REVISION, missing: ["evaluator", "auditor"] },
  });

const missingIn = (event: MailEvent) => (event.type === "gate.judged" ? event.missing : null);

it("[INS71] it is open exactly when the last word of the books misses nobody, and counts who came while it was shut", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...gateEvents), { maxLength: 20 }), (events) => {
      const one = begun();
      let [isOpen, refused] = [false, 0];
      for (const event of events) {
        if (event.type === "gate.refused" && !isOpen) refused += 1;
        isOpen = (missingIn(event)?.length ?? (isOpen ? 0 : 1)) === 0;
        one.send(event);
        expect([one.value, one.context.refused]).toEqual([isOpen ? "open" : "shut", refused]);
      }
    }),
  );
});

it("[INS71] it says when it opens and when it shuts, each time once", () => {
  const one = begun();
  const [shuts, opens] = gateEvents as [MailEvent, MailEvent];

  const types = [opens, opens, shuts, shuts, opens].map((event) =>
    one.send(event).map((letter) => letter.event.type),
  );

  expect(types).toEqual([["gate.opened"], [], ["gate.shut"], [], ["gate.opened"]]);
});
