// One approval as an actor: a person is asked, decides once, and it is used once.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalMachine } from "../../../src/machines/installs/gate/approval.ts";
import type { Letter, MailEvent } from "../../../src/machines/letter.ts";
import { policyWith } from "../../builtIn.ts";
import { driven } from "../driven.ts";
import { APPROVAL, approvalEvents, approvalInput } from "./lifeTables.ts";

const begun = (set: Parameters<typeof policyWith>[0] = {}, isExpired = false) =>
  driven(approvalMachine(policyWith(set)), approvalInput(isExpired));

const typesOf = (letters: readonly Letter[]) => letters.map(({ event }) => event.type);
const [approve, reject, undecided] = approvalEvents as [MailEvent, MailEvent, MailEvent];
const used = approvalEvents.find(({ type }) => type === "approval.used") as MailEvent;
const recalled = { type: "approval.recalled", approval: APPROVAL } as const;

describe("a person", () => {
  it("[INS72] is asked once, at its start, with all that the install wants", () => {
    const one = begun();

    expect(one.letters).toMatchObject([
      {
        to: "port/person.decide",
        ask: "person",
        event: { type: "approval.asked", request: APPROVAL },
      },
    ]);
    expect(one.value).toBe("pending");
  });

  it("[INS72] who says neither yes nor no leaves it open", () => {
    const one = begun();

    expect(one.send(undecided)).toEqual([]);
    expect(one.value).toBe("pending");
  });

  it("[INS18] may decide in time or late; it is told to the gateway, and told again after a restart", () => {
    for (const isLate of [false, true]) {
      const ruled = { type: "approval.ruled", of: APPROVAL, by: "ada", reason: null } as const;
      for (const [event, value] of [
        [approve, "approved"],
        [reject, "rejected"],
        [{ ...ruled, isApproved: true }, "approved"],
        [{ ...ruled, isApproved: false }, "rejected"],
      ] as const) {
        const one = begun();
        if (isLate) expect(typesOf(one.fire("approvalTimeout"))).toEqual(["approval.expired"]);

        expect(typesOf(one.send(event))).toEqual(["approval.decided"]);
        expect(one.value).toBe(value);
        expect(typesOf(one.send(recalled))).toEqual(["approval.decided"]);
      }
    }
  });

  it("[INS72] is waited for without end where nothing times out", () => {
    expect(begun({ "installs.approvalTimeoutMs": 0 }).timers()).toEqual([]);
  });

  it("[INS18] one that had timed out before a restart is open still, and says so", () => {
    const one = begun({}, true);

    expect(one.value).toBe("expired");
    expect(typesOf(one.letters)).toEqual(["approval.asked", "approval.expired"]);
    expect(typesOf(one.send(recalled))).toEqual(["approval.expired"]);
    one.send(approve);
    expect(one.value).toBe("approved");
  });
});

it("[INS72] used up, it ends; where one may be used without end, it does not", () => {
  const [once, ever] = [begun(), begun({ "installs.approvalUses": "unlimited" })];
  for (const one of [once, ever]) {
    one.send(approve);
    one.send(used);
  }

  expect([once.value, ever.value]).toEqual(["used", "approved"]);
});

it("[INS72] whatever comes in whatever order, it is decided at most once, and used only when it was approved", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...approvalEvents), { maxLength: 20 }), (events) => {
      const one = begun();
      const words: boolean[] = [];
      for (const event of events) {
        if (one.ended) break;
        const isTold = event.type === "approval.recalled";
        for (const { event: said } of one.send(event)) {
          if (said.type === "approval.decided" && !isTold) words.push(said.isApproved);
        }
      }
      expect(words.length).toBeLessThanOrEqual(1);
      if (one.value === "used" || one.value === "approved") expect(words).toEqual([true]);
      if (one.value === "rejected") expect(words).toEqual([false]);
    }),
  );
});
