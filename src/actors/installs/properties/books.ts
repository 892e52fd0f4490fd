/** What is promised of the book of revisions and of what capabilities grant, over drawn inputs. Source: seed 003; ruling I1. */
import fc from "fast-check";
import { demand } from "../../../contract/demand.ts";
import { unitPromises } from "../../../contract/promises.ts";
import type { Refused } from "../../../machines/installs/fault.ts";
import { type Revision, revisionContent } from "../../../machines/installs/revisions/revision.ts";
import {
  type Booked,
  bookFault,
  created,
  NO_REVISIONS,
  type RevisionBook,
  revisionOf,
  revisionsOf,
  rolledBack,
  stepped,
} from "../../../machines/installs/revisions/revisionBook.ts";
import { type Grant, intersected } from "../../../machines/installs/warden/grant.ts";
import { allowed, type ReachCall } from "../../../machines/installs/warden/reach.ts";

const policy = { rollback: { toNothing: "ends" }, history: { seals: "everything" } } as const;
const doing = { by: "builder", session: "s", timestamp: "2026-01-01T00:00:00.000Z", reason: null };
const AGENTS = ["ink", "quill"];

const deed = fc.record({
  does: fc.constantFrom(
    ...(["create", "gated", "approved", "approved", "activated", "activated"] as const),
    ...(["rejected", "rollback"] as const),
  ),
  agent: fc.constantFrom(...AGENTS),
  nth: fc.nat(3),
});
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

function after(book: RevisionBook, { does, agent, nth }: Deed): RevisionBook {
  const own = Object.values(book.revisions).filter((one) => one.agent === agent);
  const id = own[nth % Math.max(1, own.length)]?.id ?? "rev-00000000";
  const done = doneTo(book, { does, agent, nth }, id);
  return "fault" in done ? book : done.book;
}

function doneTo(book: RevisionBook, { does, agent, nth }: Deed, id: string): Booked | Refused {
  if (does === "rollback") return rolledBack(book, { agent }, doing, policy);
  if (does !== "create") return stepped(book, does, { agent, id }, doing, policy);
  const intent = {
    ...{ agent_id: agent, description: `d${nth}`, instructions: "# Notes", capabilities: [] },
    execution_mode: "reasoning" as const,
  };
  const content = revisionContent(intent, null, { namesArtifact: true });
  return created(book, { agent, content, summary: null }, doing, policy);
}

const activeOf = (book: RevisionBook, agent: string): Revision | undefined => {
  const { active } = revisionsOf(book, agent);
  return active === null ? undefined : revisionOf(book, active);
};

const scope = fc.constantFrom(
  ...[
    "*",
    "self.*",
    "self.notes/*",
    "/agentOS/workspace/*",
    "/agentOS/workspace/cedar",
    "",
    "../*",
  ],
);
const grant: fc.Arbitrary<Grant> = fc.oneof(
  fc.record({
    type: fc.constantFrom("ReadAccess", "WriteAccess"),
    scopes: fc.array(scope, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant("NetworkAccess"),
    hosts: fc.array(fc.constantFrom("*", "api.example.org", "localhost"), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant("CodeExecution"),
    patterns: fc.array(fc.constantFrom("*", "ls", "ls *"), { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant("AgentSpawn"), max_children: fc.nat(2) }),
);
const grants = fc.array(grant, { maxLength: 3 });
const PATHS = ["notes/a.md", "/agentOS/workspace/cedar/a.md", "/agentOS/tools/a.json", "../b"];
const call: fc.Arbitrary<ReachCall> = fc.record({
  tool: fc.constantFrom(
    "fs_read",
    "fs_write",
    "shell_exec",
    "web.fetch",
    "agent.spawn",
    "memory_get",
  ),
  params: fc.record({
    path: fc.constantFrom(...PATHS),
    command: fc.constantFrom("ls", "ls -l", "ls; rm a", "cat a"),
    url: fc.constantFrom("https://api.example.org/a", "http://localhost", "https://example.net"),
    key: fc.constant("a"),
  }),
  children: fc.nat(2),
});

export const bookProperties = unitPromises({
  "installs-history-verifies": {
    says: "The history of revisions is only added to, its chain verifies, and the book is what it says, whatever is done; an entry that is changed is found.",
    source: "RULINGS I1; the real system's causal chain",
    draw: () =>
      fc.property(fc.array(deed, { maxLength: 25 }), fc.nat(), (deeds, which) => {
        let book = NO_REVISIONS;
        for (const one of deeds) {
          const next = after(book, one);
          const isPrefix = book.history.entries.every(
            (entry, index) => next.history.entries[index] === entry,
          );
          demand(isPrefix, `${one.does} changed what the history said before`);
          demand(
            bookFault(next, policy.history) === null,
            `after ${one.does} the book is not whole`,
          );
          book = next;
        }
        const { entries } = book.history;
        if (entries.length === 0) return;
        const at = which % entries.length;
        const edited = entries.map((entry, index) =>
          index === at ? { ...entry, actor_id: "other" } : entry,
        );
        const changed = { ...book, history: { ...book.history, entries: edited } };
        demand(bookFault(changed, policy.history) !== null, `a changed entry ${at} is not found`);
      }),
  },
  "installs-rollback-then-promote-is-the-identity": {
    says: "A rollback, then a promotion of what was rolled back, leaves the active content as it was.",
    source: "RULINGS I1",
    draw: () =>
      fc.property(
        fc.array(deed, { minLength: 4, maxLength: 25 }),
        fc.constantFrom(...AGENTS),
        (deeds, agent) => {
          const book = deeds.reduce(after, NO_REVISIONS);
          const before = activeOf(book, agent);
          if (before === undefined) return;
          const back = rolledBack(book, { agent }, doing, policy);
          if ("fault" in back) return;
          const again = stepped(back.book, "activated", { agent, id: before.id }, doing, policy);
          const now = "fault" in again ? undefined : activeOf(again.book, agent);
          demand(now?.hash === before.hash, `${before.id} was active, and then ${now?.id} is`);
        },
      ),
  },
  "installs-reach-is-never-wider-than-each": {
    says: "What the intersection of declaration and approval grants, each of them grants.",
    source: "seed 003; ours: the intersection",
    draw: () =>
      fc.property(
        grants,
        grants,
        call,
        fc.constantFrom("every" as const, "any" as const),
        (one, other, asked, segments) => {
          const by = { scopes: "boundary", segments } as const;
          const both = intersected([one, other], "ink", by.scopes);
          if (allowed(asked, both, "ink", by) !== null) return;
          for (const each of [one, other]) {
            const beyond = allowed(asked, each, "ink", by);
            demand(beyond === null, `both grant ${asked.tool}, and one does not: ${beyond?.why}`);
          }
        },
      ),
  },
});
