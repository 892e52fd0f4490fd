// What is promised of installs in any world: on logs written by hand, one that keeps the promise and one that breaks it.
import { describe, expect, it, vi } from "vitest";
import { bookProperties } from "../../src/actors/installs/properties/books.ts";
import { promises } from "../../src/actors/installs/properties/promises.ts";
import * as books from "../../src/machines/installs/revisions/revisionBook.ts";
import { allowed } from "../../src/machines/installs/warden/reach.ts";
import type { MailEvent } from "../../src/machines/letter.ts";
import { tryUnit } from "../../src/run/check/check.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { policyWith } from "../builtIn.ts";
import { firstViolation, properties } from "../builtInPromises.ts";
import { delivery } from "../handLog.ts";

vi.mock(import("../../src/machines/installs/revisions/revisionBook.ts"), async (original) => {
  const real = await original();
  return { ...real, bookFault: vi.fn(real.bookFault), rolledBack: vi.fn(real.rolledBack) };
});
vi.mock(import("../../src/machines/installs/warden/reach.ts"), async (original) => {
  const real = await original();
  return { ...real, allowed: vi.fn(real.allowed) };
});

const BUILDER = "specialized_builder.default";
const told = (seq: number, event: MailEvent, more: Partial<Delivery> = {}) =>
  delivery({ seq, from: "gateway", to: "revision/r", event, ...more });
const of = { revision: "rev-1", agent: "ink", by: BUILDER };
const made = (seq: number, more: object = {}) =>
  told(seq, {
    ...{ type: "revision.created", ...of, artifact: "art_1", gates: ["auditor"], approval: null },
    ...{ notes: [], ...more },
  });
const active = (seq: number, revision = "rev-1") =>
  told(seq, { type: "revision.activated", ...of, revision, reason: null, before: null });
const recorded = (seq: number, more: object = {}) =>
  told(seq, {
    ...{ type: "promotion.recorded", artifact: "art_1", role: "auditor", pass: true },
    ...{ by: "auditor.default", digest: "d", findings: [], ...more },
  });
const rejected = told(2, { type: "revision.rejected", ...of, reason: null });
const built = told(1, {
  ...{ type: "artifact.built", artifact: "art_1", digest: "d", by: "coder.default", files: [] },
  isReused: false,
});
const decided = told(1, {
  ...{ type: "approval.decided", approval: "apr-1", agent: "ink", isApproved: true, by: "o" },
  reason: null,
});
const used = (seq: number) =>
  told(seq, { type: "approval.used", approval: "apr-1", agent: "ink", revision: "rev-1" });
const grants = [{ type: "WriteAccess", scopes: ["self.*"] }];
const lived = told(1, {
  ...{ type: "active.changed", agent: "ink", how: "activated" },
  revision: { id: "rev-1", description: "", instructions: "", grants },
});
const born = told(2, { type: "installed.born", agent: "ink", revision: "rev-1", fault: null });
const call = { agent: "ink", cycle: 1, intent: "", params: {} };
const may = (seq: number, capability: string) =>
  told(seq, { type: "permission.asked", ...call, capability }, { to: "warden", from: "engine" });
const granted = (seq: number) =>
  told(
    seq,
    { type: "permission.answered", granted: true, reason: null },
    { from: "warden", to: "engine", re: seq - 1 },
  );
const wrote = (path: string) =>
  told(
    3,
    {
      ...{ type: "call.reported", ...call, caller: "agent/ink", call: 1, capability: "fs_write" },
      ...{ ok: true, result: null, error: null, nothing: false, wrote: [path] },
    },
    { to: "warden", from: "engine" },
  );

const CASES: { readonly [id: string]: readonly [legal: Delivery[], ...broken: Delivery[][]] } = {
  "installs-active-has-passed-its-gate": [
    [built, made(2), recorded(3), active(4)],
    [built, made(2), active(3)],
    [built, made(2), recorded(3, { pass: false }), active(4)],
    [built, made(2), recorded(3, { digest: "of other content" }), active(4)],
  ],
  "installs-approval-is-used-once": [[decided, used(2)], [decided, used(2), used(3)], [used(2)]],
  "installs-are-the-builders-alone": [
    [made(1)],
    [made(1, { by: "architect.default" })],
    [recorded(1, { by: BUILDER })],
    [recorded(1, { by: "evaluator.default" })],
  ],
  "installs-one-revision-is-active": [
    [made(1), active(2)],
    [made(1), made(2, { revision: "rev-2" }), active(3), active(4, "rev-2")],
    [made(1), rejected, active(3)],
  ],
  "installs-granted-is-declared": [
    [lived, may(2, "fs_write"), granted(3)],
    [lived, may(2, "fs_read"), granted(3)],
  ],
  "installs-writes-beyond-reach-are-told": [
    [lived, born, wrote("/agentOS/workspace/ink/a.md")],
    [lived, born, wrote("/agentOS/workspace/cedar/a.md")],
  ],
};

describe.each(Object.entries(CASES))("%s", (id, [legal, ...all]) => {
  const property = properties.find((one) => one.id === id);

  it("[INS120] is kept by one log and broken by the others", () => {
    if (property?.kind !== "world") throw new Error(`there is no ${id}`);
    expect(firstViolation(property, policyWith({}), legal)).toBeUndefined();
    for (const broken of all) {
      expect(firstViolation(property, policyWith({}), broken)?.seq).toBe(broken.at(-1)?.seq);
    }
  });
});

it("[INS120] has logs for every promise of a world", () => {
  const ids = (promises.properties ?? []).flatMap((one) => (one.kind === "world" ? [one.id] : []));
  expect(ids.sort()).toEqual(Object.keys(CASES).sort());
});

it.each(bookProperties)("[INS120] $id holds over drawn inputs", (property) => {
  const { violation, moments } = tryUnit(property, 1, 200);
  expect(violation).toBeNull();
  expect(moments).toBeGreaterThan(0);
});

it("[INS120] a book that breaks its promise is found", () => {
  const [history, rollback, reach] = bookProperties;
  const found = (property = bookProperties[0]) =>
    property && tryUnit(property, 1, 200).violation?.says;
  const { revisionsOf } = books;
  vi.mocked(books.bookFault).mockImplementation(() => null);
  expect(found(history)).toMatch(/a changed entry \d+ is not found/);
  vi.mocked(books.bookFault).mockReset();

  vi.mocked(books.rolledBack).mockImplementation((book, { agent }) => {
    const { active, superseded } = revisionsOf(book, agent);
    const agents = { ...book.agents, [agent]: { active: null, superseded } };
    const revision = book.revisions[active ?? ""];
    return {
      book: { ...book, agents },
      revision: revision as books.RevisionBook["revisions"][string],
      isNew: true,
    };
  });
  expect(found(rollback)).toMatch(/was active, and then/);
  vi.mocked(books.rolledBack).mockReset();

  vi.mocked(allowed).mockImplementation((_, grants) =>
    grants.length === 2 ? { missing: "m", why: "w", todo: "t" } : null,
  );
  expect(found(reach)).toMatch(/both grant .* and one does not/);
  vi.mocked(allowed).mockReset();
});
