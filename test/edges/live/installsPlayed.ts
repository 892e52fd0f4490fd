// Plays installs by live models, and holds each run to what must be true of any.

import { expect } from "vitest";
import { crewSchemas } from "../../../src/machines/installs/crew/crewModel.ts";
import { installed, type LiveWish, type Said } from "./installsServer.ts";

/** An agent with an artifact, which both judges are to pass. */
export const CODED = {
  code: true,
  capabilities: [{ type: "NetworkAccess", hosts: ["api.example.com"] }],
};

/** The builder's turns until the promotion gate is shut, all of them sensible. */
export const GATED: readonly Said[] = [null, null, null, null, null];

/** Both judges pass it and record nothing, and the planner has it installed. */
export const unrecorded = {
  plan: [null, null, { next: "audit", why: "next" }, { next: "install", why: "both pass" }],
  evaluate: [{ pass: true, record: false, findings: [] }],
  audit: [
    {
      ...{ pass: true, record: false, findings: [], threats_detected: [] },
      ...{ remote_access_detected: true, inferred_capabilities: ["NetworkAccess"] },
    },
  ],
} satisfies LiveWish["says"];

/** How each wish went out, and all that was told of it. */
export async function faithful(
  wishes: readonly LiveWish[],
  set: { readonly [path: string]: number | string } = {},
) {
  const run = await installed(wishes, { set });
  expect(run.observed.result.outcome).toBe("ended");
  expect(run.replayed).toMatchObject({ matches: true, partial: false, difference: null });
  for (const { name, chat } of run.chats) {
    expect(chat.format).toEqual(JSON.parse(JSON.stringify(crewSchemas[`install.${name}`])));
  }
  expectGates(run);
  const closed = run.of("install.closed");
  expect(closed.map(({ wish }) => wish).sort()).toEqual(wishes.map(({ agent }) => agent).sort());
  const active = run.of("revision.activated").map(({ agent }) => agent);
  const words = [
    ...[...run.of("install.held"), ...run.of("install.planned"), ...closed],
    ...[...run.of("build.delivered"), ...run.of("judging.given"), ...run.of("install.reported")],
  ];
  const told = wishes.map(({ agent }) =>
    words
      .filter(({ wish }) => wish === agent)
      .map((one) => JSON.stringify(one))
      .join("\n")
      .replaceAll('\\"', '"'),
  );
  const outcomes = wishes.map(({ agent }) => (active.includes(agent) ? "active" : "not"));
  return { ...run, outcomes, told };
}

/** Whatever became active has the records of its judges and its approval. */
function expectGates({ of }: Awaited<ReturnType<typeof installed>>): void {
  const records = of("promotion.recorded");
  const used = of("approval.used").map(({ approval }) => approval);
  expect(new Set(used).size).toBe(used.length);
  const created = new Map(of("revision.created").map((one) => [one.revision, one]));
  for (const { revision } of of("revision.activated")) {
    const { artifact, gates, approval } = created.get(revision) ?? { gates: ["none"] };
    expect(used).toContain(approval);
    for (const role of gates) {
      expect(records).toContainEqual(
        expect.objectContaining({ artifact, role, pass: true, by: `${role}.default` }),
      );
    }
  }
}
