// What no order of requests and no crash makes of the gateway: an active revision without what its gate demands.
import fc from "fast-check";
import { expect, it } from "vitest";
import { needsApproval } from "../../../src/machines/installs/gate/approval.ts";
import { type Books, gateOf } from "../../../src/machines/installs/gateway/books.ts";
import { bookFault } from "../../../src/machines/installs/revisions/revisionBook.ts";
import type { Carried } from "../../../src/machines/letter.ts";
import {
  AGENT,
  activeIn,
  built,
  CREATE,
  coded,
  PROMOTE,
  plain,
  ROLLBACK,
  risky,
  ruling,
  withRef,
} from "./gatewayCalls.ts";
import {
  AUDITOR,
  BUILDER,
  EVALUATOR,
  type LoneGateway,
  loneGateway,
  PERSON,
  PLANNER,
} from "./loneGateway.ts";

const SENDERS = [
  ...[BUILDER, BUILDER, BUILDER, BUILDER, BUILDER, BUILDER, BUILDER, BUILDER],
  PLANNER,
  EVALUATOR,
  AUDITOR,
  "coder.default",
  PERSON,
];

/** One thing that is done, with numbers for whatever it chooses. */
interface Deed {
  readonly what:
    | "create"
    | "promote"
    | "rollback"
    | "reject"
    | "record"
    | "rule"
    | "gate"
    | "crash";
  readonly who: string;
  readonly pick: number;
  readonly yes: boolean;
  /** How many letters are delivered before the next deed. */
  readonly letters: number;
}

const anyDeed: fc.Arbitrary<Deed> = fc.record({
  what: fc.constantFrom<Deed["what"]>(
    ...(["create", "create", "create", "promote", "promote", "promote", "rollback"] as const),
    ...(["reject", "record", "record", "record", "rule", "rule", "gate", "crash"] as const),
  ),
  who: fc.constantFrom(...SENDERS),
  pick: fc.nat(11),
  yes: fc.boolean(),
  letters: fc.nat(30),
});

const nth = <T>(all: readonly T[], index: number): T | undefined => all[index % (all.length || 1)];

/** Intents of each kind, with whichever approval there is. */
function intentOf(one: LoneGateway, artifacts: readonly string[], pick: number): object {
  const [a = "", b = ""] = artifacts;
  const all = [plain(), plain("Two."), risky(), risky("Two."), coded(a), coded(b)];
  const intent = nth(all, pick) ?? plain();
  const free = Object.values(one.books.approvals).filter(({ uses }) => uses === 0 || pick === 0);
  const approval = nth(free, pick);
  return approval === undefined || pick === 1 ? intent : withRef(intent, approval.id);
}

function done(
  one: LoneGateway,
  artifacts: readonly string[],
  { what, who, pick, yes }: Deed,
): void {
  const ids = Object.keys(one.books.revisions.revisions);
  const revision_id = nth(ids, pick) ?? "rev-00000000";
  const own = { agent_id: AGENT, revision_id };
  switch (what) {
    case "create":
      one.ask(who, CREATE, intentOf(one, artifacts, pick), `w${pick % 3}`);
      return;
    case "promote":
      one.ask(who, PROMOTE, own);
      return;
    case "rollback":
      one.ask(who, ROLLBACK, yes ? { agent_id: AGENT } : { agent_id: AGENT, to: revision_id });
      return;
    case "reject":
      one.ask(who, "agent.revision.reject", own);
      return;
    case "record": {
      const role = pick % 2 === 0 ? "evaluator" : "auditor";
      // Its own role most times; the gateway refuses the rest.
      const by = pick < 9 ? `${role}.default` : who;
      const artifact_id = artifacts[pick % 4 < 2 ? 0 : 1];
      one.ask(by, "promotion.record", { artifact_id, role, pass: yes || pick < 8 });
      return;
    }
    case "rule":
      one.post(pick < 9 ? PERSON : who, ruling(AGENT, yes || pick < 6));
      return;
    case "gate":
      one.post(who, {
        ...{ type: "gating.said", workflow: `w${pick % 3}`, agent: AGENT },
        gating: yes ? "none" : "required",
      });
      return;
    case "crash":
      one.post("outside/1", { type: "gateway.restarted" });
      return;
  }
}

const pointerIn = (event: Carried): string | null => {
  if (event.type !== "files.apply") return null;
  const [path = "", text = null] = Object.entries(event.changed)[0] ?? [];
  return path.startsWith("/agentOS/installs/active/") ? (text?.trim() ?? null) : null;
};

/** Why the revision may not be active, by the books that are being written; null when it may. */
function unfounded(one: LoneGateway, books: Books, id: string): string | null {
  const revision = books.revisions.revisions[id];
  if (revision === undefined) return "there is no such revision";
  const entries = books.revisions.history.entries.filter(({ log_id }) =>
    log_id.startsWith(`${id}#`),
  );
  const wasActive = entries.filter(({ action }) => action === "revision.active").length > 1;
  const gate = gateOf(books, revision, one.policy.installs);
  if (!gate.ok && !wasActive) return gate.reason;
  const intent = revision.content.intent as unknown as Parameters<typeof needsApproval>[0];
  if (!needsApproval(intent, one.policy.installs)) return null;
  const rests = JSON.stringify(entries[0]?.payload);
  const approval = Object.values(books.approvals).find(({ id: ref }) => rests.includes(ref));
  return approval?.status === "approved" && approval.uses === 1 ? null : "nobody approved of it";
}

/** To the one before, and back, as far as its judges still let it: all is as it was but the history. */
function rolledBackAndForth(one: LoneGateway): void {
  const own = one.books.revisions.agents[AGENT];
  const active = own?.active ?? null;
  if (active === null || own?.superseded.length === 0) return;
  const contentOf = () => one.books.revisions.revisions[active]?.content;
  const [content, files] = [contentOf(), filesOf(one, active)];
  one.call(BUILDER, ROLLBACK, { agent_id: AGENT });
  expect(activeIn(one)).toBe(own?.superseded.at(-1));
  if (!one.call(BUILDER, PROMOTE, { agent_id: AGENT, revision_id: active }).ok) return;
  expect([activeIn(one), contentOf(), filesOf(one, active)]).toEqual([active, content, files]);
}

const filesOf = ({ files }: LoneGateway, id: string) =>
  Object.entries(files).filter(([path]) => path.includes(`/${AGENT}/${id}/`));

it("[INS61, INS80] in any order, with crashes anywhere, nothing becomes active without what its gate demands", () => {
  let [activations, approvals, gated] = [0, 0, 0];
  fc.assert(
    fc.property(fc.array(anyDeed, { minLength: 20, maxLength: 80 }), (deeds) => {
      const one = loneGateway();
      const artifacts = [built(one), built(one, "fetch('https://b.example.com');\n")];
      let seen = one.heard.length;
      const look = (): void => {
        for (; seen < one.heard.length; seen += 1) {
          const { event, from } = one.heard[seen] as (typeof one.heard)[number];
          const id = from === "gateway" ? pointerIn(event) : null;
          if (id === null) continue;
          activations += 1;
          const books = one.writing ?? one.books;
          if ((books.gates[id] ?? []).length > 0) gated += 1;
          expect([id, unfounded(one, books, id)]).toEqual([id, null]);
        }
      };
      const deliver = (letters: number): void => {
        for (let each = 0; each < letters && one.step(); each += 1) look();
      };
      for (const deed of deeds) {
        done(one, artifacts, deed);
        deliver(deed.letters);
      }
      deliver(Number.MAX_SAFE_INTEGER);
      one.tell("outside/1", { type: "gateway.restarted" });
      look();

      const { revisions, approvals: all } = one.books;
      expect(bookFault(revisions, one.policy.installs.history)).toBe(null);
      expect(activeIn(one)).toBe(revisions.agents[AGENT]?.active ?? null);
      for (const { id, uses } of Object.values(all)) {
        expect(uses).toBeLessThanOrEqual(1);
        const uses_of = revisions.history.entries.filter(
          ({ action, payload }) =>
            action === "revision.created" && JSON.stringify(payload).includes(id),
        );
        expect(uses_of).toHaveLength(uses);
        approvals += uses;
      }
      rolledBackAndForth(one);
      for (const { action, actor_id } of revisions.history.entries) {
        const judges = action === "revision.approved" ? [EVALUATOR, AUDITOR] : [];
        expect([BUILDER, ...judges]).toContain(actor_id);
      }
      for (const { id, state } of Object.values(revisions.revisions)) {
        expect(one.valueOf(`revision/${id}`)).toBe(state);
      }
    }),
    { numRuns: 250 },
  );
  // What never happens proves nothing.
  expect(Math.min(activations, approvals, gated)).toBeGreaterThan(5);
});
