// Revisions: states, rollback, history, reading. SPEC: "Installing agents (seed 003)".
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Refused } from "../../../src/machines/installs/fault.ts";
import type { CanonicalIntent } from "../../../src/machines/installs/revisions/canonical.ts";
import {
  type Revision,
  type RevisionState,
  revisionContent,
  revisionHash,
} from "../../../src/machines/installs/revisions/revision.ts";
import {
  type Booked,
  type BookPolicy,
  bookFault,
  created,
  type Doing,
  inspected,
  inspectedAgent,
  listed,
  NO_REVISIONS,
  type RevisionBook,
  recounted,
  revisionDiff,
  revisionOf,
  revisionsOf,
  rolledBack,
  stepped,
} from "../../../src/machines/installs/revisions/revisionBook.ts";
import { gatePolicy } from "./gateRules.ts";

const policy: BookPolicy = gatePolicy();
const doing: Doing = {
  by: "specialized_builder.default",
  session: "s",
  timestamp: "2026-01-01T00:00:00.000Z",
  reason: null,
};

const intentOf = (agent_id: string, instructions: string): CanonicalIntent => ({
  ...{ agent_id, description: "d", instructions, execution_mode: "reasoning" },
  ...{
    llm_config: { provider: "p", model: "m" },
    capabilities: [{ type: "ReadAccess", scopes: ["self.*"] }],
  },
});

const contentOf = (agent: string, instructions: string) =>
  revisionContent(intentOf(agent, instructions), null, { namesArtifact: true });

function done(answer: Booked | Refused): Booked {
  if ("fault" in answer) throw new Error(answer.fault.said);
  return answer;
}
const said = (answer: Booked | Refused) => ("fault" in answer ? answer.fault.said : null);

const create = (book: RevisionBook, instructions: string, agent = "a") =>
  done(
    created(book, { agent, content: contentOf(agent, instructions), summary: null }, doing, policy),
  );

const step = (book: RevisionBook, id: string, name: Parameters<typeof stepped>[1], agent = "a") =>
  stepped(book, name, { agent, id }, doing, policy);

/** Created, approved and active, one after another. */
function activeOnes(...instructions: readonly string[]): {
  book: RevisionBook;
  ids: readonly string[];
} {
  let book = NO_REVISIONS;
  const ids: string[] = [];
  for (const text of instructions) {
    const made = create(book, text);
    const { id } = made.revision;
    book = done(step(done(step(made.book, id, "approved")).book, id, "activated")).book;
    ids.push(id);
  }
  return { book, ids };
}

const states = (book: RevisionBook) => Object.values(book.revisions).map(({ state }) => state);
const back = (book: RevisionBook, to?: string) =>
  rolledBack(book, { agent: "a", ...(to === undefined ? {} : { to }) }, doing, policy);

describe("a revision", () => {
  it("[INS59] is a draft under the first eight digits of its content's hash", () => {
    const { revision, isNew } = create(NO_REVISIONS, "one");

    expect(revision).toMatchObject({ state: "draft", id: `rev-${revision.hash.slice(0, 8)}` });
    expect(isNew).toBe(true);
    const { content, hash } = revision;
    for (const other of [
      { intent: { ...content.intent, description: "Other." } },
      { artifact: { id: "art_a1b2c3d4", digest: "sha256:0" } },
      { files: { ...content.files, "main.py": "sha256:0" } },
    ]) {
      expect(revisionHash({ ...content, ...other })).not.toBe(hash);
    }
  });

  it("[INS77] of the same content is the one that is there, whatever its state, and nothing is told of it", () => {
    const { book, ids } = activeOnes("one", "two");
    const again = create(book, "one");

    expect(again).toMatchObject({ isNew: false, revision: { id: ids[0], state: "superseded" } });
    expect(again.book).toBe(book);
    expect(create(book, "one", "b").revision.id).not.toBe(ids[0]);
    const content = contentOf("a", "one");
    expect(said(created(book, { agent: "b", content, summary: null }, doing, policy))).toContain(
      "Refusing reuse",
    );
  });

  it("[INS59] is refused where its id belongs to another content", () => {
    const { book, revision } = create(NO_REVISIONS, "one");
    const other: Revision = { ...revision, hash: `${revision.hash.slice(0, 8)}${"0".repeat(56)}` };
    const odd = { ...book, revisions: { [revision.id]: other } };

    expect(
      said(
        created(odd, { agent: "a", content: contentOf("a", "one"), summary: null }, doing, policy),
      ),
    ).toContain("Refusing reuse");
  });

  it("[INS60] goes from draft over gated and approved to active; each step once, and none left out", () => {
    const { book, revision } = create(NO_REVISIONS, "one");
    const gated = done(step(book, revision.id, "gated"));
    const approved = done(step(gated.book, revision.id, "approved"));
    const active = done(step(approved.book, revision.id, "activated"));

    expect([gated, approved, active].map((one) => one.revision.state)).toEqual([
      ...["gated", "approved", "active"],
    ]);
    expect(said(step(book, revision.id, "activated"))).toContain(
      "is draft: activated needs approved",
    );
    expect(said(step(gated.book, revision.id, "activated"))).toContain("is gated");
    expect(said(step(active.book, revision.id, "gated"))).toContain("is active");
    expect(said(step(active.book, revision.id, "rejected"))).toContain("is active");
    const again = done(step(active.book, revision.id, "activated"));
    expect([again.isNew, again.book]).toEqual([false, active.book]);
  });

  it("[INS60] that was rejected stays so, created again or not", () => {
    const { book, revision } = create(NO_REVISIONS, "one");
    const rejected = done(step(book, revision.id, "rejected")).book;
    const gated = done(step(book, revision.id, "gated")).book;
    for (const before of [gated, done(step(gated, revision.id, "approved")).book]) {
      expect(done(step(before, revision.id, "rejected")).revision.state).toBe("rejected");
    }

    for (const name of ["gated", "approved", "activated"] as const) {
      expect(said(step(rejected, revision.id, name))).toContain("is rejected");
    }
    expect(create(rejected, "one").revision.state).toBe("rejected");
  });

  it("[INS60] supersedes the one that was active; another agent's is let alone", () => {
    const { book, ids } = activeOnes("one", "two");

    expect(states(book)).toEqual(["superseded", "active"]);
    expect(revisionsOf(book, "a")).toEqual({ active: ids[1], superseded: [ids[0]] });
    expect(said(step(book, ids[0] ?? "", "activated", "b"))).toBe(
      `revision '${ids[0]}' of agent 'b' not found`,
    );
    expect(said(step(book, "rev-00000000", "gated"))).toContain("not found");
    expect(said(step(book, "constructor", "gated"))).toContain("not found");
  });
});

describe("a rollback", () => {
  it("[INS61] makes active what was superseded last, and the one before it rolled back", () => {
    const { book, ids } = activeOnes("one", "two", "three");
    const once = done(back(book));
    const twice = done(back(once.book));

    expect(once.revision.id).toBe(ids[1]);
    expect(states(once.book)).toEqual(["superseded", "active", "rolled_back"]);
    expect(states(twice.book)).toEqual(["active", "rolled_back", "rolled_back"]);
  });

  it("[INS61] to a revision that is named takes it if it was ever active, and no other", () => {
    const { book, ids } = activeOnes("one", "two", "three");
    const draft = create(book, "four");

    expect(done(back(book, ids[0])).revision).toMatchObject({ id: ids[0], state: "active" });
    expect(states(done(back(book, ids[0])).book)).toEqual(["active", "superseded", "rolled_back"]);
    expect(said(back(draft.book, draft.revision.id))).toContain("is draft: rollback needs");
    expect(said(back(book, ids[2]))).toContain("is active: rollback needs");
    expect(said(back(book, "rev-00000000"))).toContain("not found");
  });

  it("[INS61] to none switches the agent off, its first revision too, and it may be gone back to", () => {
    const first = create(NO_REVISIONS, "one");
    const approved = done(stepped(first.book, "approved", first.revision, doing, policy));
    const { book } = done(stepped(approved.book, "activated", first.revision, doing, policy));

    const off = done(rolledBack(book, { agent: "a", to: "none" }, doing, policy));
    expect(revisionsOf(off.book, "a").active).toBeNull();
    expect(off.revision.state).toBe("rolled_back");
    expect(said(rolledBack(off.book, { agent: "a", to: "none" }, doing, policy))).toContain(
      "has no active revision",
    );
    const on = done(rolledBack(off.book, { agent: "a", to: first.revision.id }, doing, policy));
    expect(revisionsOf(on.book, "a").active).toBe(first.revision.id);
    // Also where one is there to be gone back to.
    const none = done(back(activeOnes("one", "two").book, "none"));
    expect(revisionsOf(none.book, "a").active).toBeNull();
    expect(states(none.book)).toEqual(["superseded", "rolled_back"]);
  });

  it("[INS61] with nothing to go back to is refused, or leaves nothing active", () => {
    const { book, ids } = activeOnes("one");
    const ends: BookPolicy = { ...policy, rollback: { toNothing: "ends" } };

    expect(said(back(book))).toBe("agent 'a' has no superseded revision to roll back to");
    expect(said(back(create(NO_REVISIONS, "one").book))).toContain("no active revision");
    const ended = done(rolledBack(book, { agent: "a" }, doing, ends));
    expect(revisionsOf(ended.book, "a")).toEqual({ active: null, superseded: [] });
    expect(said(back(ended.book))).toContain("no active revision");
    expect(done(step(ended.book, ids[0] ?? "", "activated")).revision.state).toBe("active");
  });

  it("[INS61] and then the promotion again leave active what was active, with its content", () => {
    const { book, ids } = activeOnes("one", "two");
    const [, second = ""] = ids;
    const again = done(step(done(back(book)).book, second, "activated")).book;

    expect(again.revisions).toEqual(book.revisions);
    expect(again.agents).toEqual(book.agents);
    expect(again.history.entries).toHaveLength(book.history.entries.length + 4);
  });
});

describe("reading", () => {
  it("[INS62] lists the newest first, and inspects with its own entries of the history", () => {
    const { book, ids } = activeOnes("one", "two");

    expect(listed(book, "a").map(({ revision_id, state }) => [revision_id, state])).toEqual([
      [ids[1], "active"],
      [ids[0], "superseded"],
    ]);
    expect(listed(book, "b")).toEqual([]);
    expect(inspectedAgent(book, "a")).toMatchObject({ active: ids[1], superseded: [ids[0]] });
    const one = inspected(book, "a", ids[0] ?? "");
    expect("history" in one && one.history.map(({ action }) => action)).toEqual(
      ["created", "approved", "active", "superseded"].map((state) => `revision.${state}`),
    );
    expect(inspected(book, "b", ids[0] ?? "")).toHaveProperty("fault");
  });

  it("[INS62] compares two contents field by field", () => {
    const first = create(NO_REVISIONS, "one");
    const { llm_config: _, ...two } = intentOf("a", "two");
    const intent = { ...two, script_entry: "a/b~c.py" };
    const content = revisionContent(intent, null, { namesArtifact: true });
    const { book, revision } = done(
      created(first.book, { agent: "a", content, summary: null }, doing, policy),
    );
    const diff = revisionDiff(book, "a", [first.revision.id, revision.id]);

    expect("changes" in diff && diff.changes).toEqual([
      {
        path: "/files/SKILL.md",
        before: first.revision.content.files["SKILL.md"],
        after: content.files["SKILL.md"],
      },
      { path: "/intent/instructions", before: "one", after: "two" },
      { path: "/intent/llm_config", before: { model: "m", provider: "p" } },
      { path: "/intent/script_entry", after: "a/b~c.py" },
    ]);
    expect(revisionDiff(book, "a", [revision.id, revision.id])).toEqual({ changes: [] });
    expect(revisionDiff(book, "a", [revision.id, "rev-00000000"])).toHaveProperty("fault");
  });

  it("[INS62] a book is whole until a state, a content or a pointer of it is changed past its history", () => {
    const { book, ids } = activeOnes("one", "two");
    const [first = "", second = ""] = ids;
    const edited = (id: string, changed: Partial<Revision>): RevisionBook => ({
      ...book,
      revisions: { ...book.revisions, [id]: { ...(revisionOf(book, id) as Revision), ...changed } },
    });
    const { [second]: _, ...without } = book.revisions;
    const fault = (one: RevisionBook) => bookFault(one, policy.history);

    expect(fault(book)).toBeNull();
    for (const changed of [
      edited(first, { state: "active" }),
      edited(first, { content: contentOf("a", "other") }),
      edited(first, { hash: "0".repeat(64) }),
      edited(first, { summary: "other" }),
      edited(first, { by: "other" }),
      edited(first, { timestamp: "other" }),
      edited(first, { agent: "b" }),
      { ...book, revisions: without },
      { ...book, agents: {} },
      { ...book, agents: { ...book.agents, b: { active: null, superseded: [] } } },
      { ...book, agents: { a: { active: first, superseded: [second] } } },
      { ...book, history: { ...book.history, entries: book.history.entries.slice(1) } },
    ]) {
      expect(fault(changed)).not.toBeNull();
    }
  });
});

const acts = fc.array(
  fc.record({
    act: fc.constantFrom("create", "gated", "approved", "activated", "rejected", "back", "to"),
    agent: fc.constantFrom("a", "b"),
    text: fc.constantFrom("1", "2", "3"),
  }),
  { maxLength: 40 },
);

it("[INS58, INS60, INS61] in any order of calls: one active at most, nothing active that was not approved, a history that only grows", () => {
  fc.assert(
    fc.property(acts, (calls) => {
      let book = NO_REVISIONS;
      const approved = new Set<string>();
      for (const { act, agent, text } of calls) {
        const before = book;
        const content = contentOf(agent, text);
        const id = `rev-${create(NO_REVISIONS, text, agent).revision.hash.slice(0, 8)}`;
        const answer =
          act === "create"
            ? created(book, { agent, content, summary: null }, doing, policy)
            : act === "back" || act === "to"
              ? rolledBack(book, { agent, ...(act === "to" ? { to: id } : {}) }, doing, policy)
              : stepped(book, act as Parameters<typeof stepped>[1], { agent, id }, doing, policy);
        if ("fault" in answer) continue;
        book = answer.book;
        if (answer.revision.state === "approved") approved.add(answer.revision.id);
        expect(book.history.entries.slice(0, before.history.entries.length)).toEqual(
          before.history.entries,
        );
      }
      expect(bookFault(book, policy.history)).toBeNull();
      const all = Object.values(book.revisions);
      for (const agent of ["a", "b"]) {
        const active = all.filter((one) => one.agent === agent && one.state === "active");
        expect(active.map(({ id }) => id)).toEqual(
          [revisionsOf(book, agent).active].filter((id) => id !== null),
        );
        for (const { id } of active) expect(approved).toContain(id);
      }
      const told: { [id: string]: RevisionState } = {};
      for (const { id, state } of all) told[id] = state;
      expect(recounted(book.history).states).toEqual(told);
    }),
  );
});
