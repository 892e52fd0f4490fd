// The switches of installs, and what the gateway does under the real system's.
import { expect, it } from "vitest";
import { accepts, leavesOf } from "../../../src/contract/policy.ts";
import { installsLeaves, installsProfiles } from "../../../src/machines/installs/installsPolicy.ts";
import { AGENT, built, CREATE, coded, created, promoted, record, risky } from "./gatewayCalls.ts";
import { AUDITOR, BUILDER, EVALUATOR, loneGateway } from "./loneGateway.ts";

const leaves = new Map(leavesOf(installsLeaves, "installs."));

it("[INS69] profile `real` sets leaves that there are to values that they allow, and none to its default", () => {
  for (const [path, value] of Object.entries(installsProfiles.real)) {
    const leaf = leaves.get(path);

    expect([path, leaf !== undefined && accepts(leaf, value)]).toEqual([path, true]);
    expect([path, value]).not.toEqual([path, leaf?.default]);
  }
});

it("[INS69] profile `real` sets every leaf whose source names the real system's value to that value, and no other", () => {
  const books = /^installs\.(?:content|artifact|lock|history|rollback|reach|loops)\./;
  const named = [...leaves].flatMap(([path, { source }]) => {
    const [, value] = /; (\S+) in the real system$/.exec(source) ?? [];
    return books.test(path) && value !== undefined ? [[path, value] as const] : [];
  });
  const set = Object.entries(installsProfiles.real).filter(([path]) => books.test(path));

  expect(named.length).toBeGreaterThan(5);
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(set.map(([path, value]) => [path, String(value)])),
  );
});

it("[INS69] under profile `real` an install is asked for first, and needs its records at once", () => {
  const one = loneGateway(installsProfiles.real);
  const artifact = built(one, "fetch('https://api.example.com');\n");
  const { promotion_gate, ...rest } = coded(artifact);
  const intent = { ...rest, promotion_gate };
  expect(one.call(BUILDER, CREATE, { ...risky(), artifact_id: "art_00000000" })).toMatchObject({
    approvalRequired: expect.stringContaining("apr-"),
  });

  const other = loneGateway({ ...installsProfiles.real, "installs.approval": "never" });
  const again = built(other, "fetch('https://api.example.com');\n");
  expect(again).not.toBe("");
  const early = other.call(BUILDER, CREATE, { ...intent, artifact_id: again });
  expect(early.error?.message).toContain("no passing evaluator promotion record exists");
  for (const judge of [EVALUATOR, AUDITOR]) record(other, again, judge);
  const id = created(other, { ...intent, artifact_id: again });
  expect(promoted(other, id, AGENT).ok).toBe(true);
});
