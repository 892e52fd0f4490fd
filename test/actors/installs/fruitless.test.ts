// Logs written by hand of worlds in which agents were wanted and nothing came of it.
import { expect, it } from "vitest";
import { fruitless } from "../../../src/actors/installs/fruitless.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import { modelUse } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

const found = (events: readonly MailEvent[], soFar = "") => {
  const deliveries = events.map((event, index) => delivery({ seq: index + 2, event }));
  return fruitless({ deliveries, use: modelUse(deliveries, []), soFar });
};

const wanted: MailEvent = {
  ...{ type: "install.wanted", wish: "w", goal: "g", intent: {}, needsCode: false },
  ...{ loose: [], gating: null },
};
const closed = (isInstalled: boolean): MailEvent => ({
  ...{ type: "install.closed", wish: "w", agent: "ink", isInstalled, reason: "it was refused" },
  revision: null,
});
const asked: MailEvent = {
  ...{ type: "approval.requested", approval: "apr-1", agent: "ink", by: "b", factors: [] },
  artifactDigest: null,
};
const expired: MailEvent = { type: "approval.expired", approval: "apr-1", agent: "ink" };

it("[INS122] nothing is said where nothing was wanted, or something was installed", () => {
  expect(found([])).toEqual([]);
  expect(found([wanted, wanted, closed(false), closed(true)])).toEqual([]);
});

it("[INS122] no agent was installed, and nobody decided", () => {
  expect(found([wanted, wanted, closed(false), asked, expired], " so far")).toEqual([
    {
      what: "Nothing came of installing agents so far: none of 2 installs was completed.",
      reasons: ["1 install given up: it was refused.", "1 install had no end when the run did."],
    },
    {
      what: "Nothing came of asking a person so far: the only approval was not decided.",
      reasons: ["1 approval timed out."],
    },
  ]);
});

it("[INS122] an install that the planner gave up had an end, though nobody acts on it", () => {
  const told = delivery({ seq: 3, event: closed(false), fate: "ignored" });
  const deliveries = [delivery({ seq: 2, event: wanted }), told];

  expect(fruitless({ deliveries, use: modelUse(deliveries, []), soFar: "" })).toMatchObject([
    { reasons: ["1 install given up: it was refused."] },
  ]);
});

it("[INS122] a revision that became active is something, and so is a person's word, if anybody heard of it", () => {
  const active = strangeEvent("revision.activated");
  const decided = strangeEvent("approval.decided");
  const whats = (events: readonly MailEvent[]) =>
    found(events).map(({ what }) => what.split(":")[0]);
  const unheard = [wanted, active].map((event, at) =>
    delivery({ seq: at + 2, event, fate: event === active ? "ignored" : "handled" }),
  );

  expect(whats([wanted, active])).toEqual([]);
  expect(whats([wanted, asked, decided])).toEqual(["Nothing came of installing agents"]);
  expect(whats([wanted, asked])).toEqual([
    ...["Nothing came of installing agents", "Nothing came of asking a person"],
  ]);
  expect(found([asked])).toMatchObject([{ reasons: [] }]);
  expect(fruitless({ deliveries: unheard, use: modelUse(unheard, []), soFar: "" })).toHaveLength(1);
});
