// The part `part-name` in a world: `npm test`.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { world } from "ghostlight";
import part from "./part-name.ts";

const mine = world(part);
const { scenario } = mine.loadScenario(join(import.meta.dirname, "part-name.yaml"));

test("the scenario shows what it says, and so does its variant", () => {
  for (const variant of [undefined, "quick"]) {
    const { verdicts } = mine.observe(scenario, { variant });
    assert.deepEqual(
      verdicts.map(({ name, ok }) => ({ name, ok })).filter(({ ok }) => !ok),
      [],
    );
  }
});

test("a run is replayed exactly, and says why a job was given up", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "part-name-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const run = await mine.record(scenario, folder);

  assert.equal(mine.replay(mine.readBundle(run.bundle)).matches, true);
  assert.match(mine.why(run.deliveries, run.inputs)?.chain[0]?.says ?? "", /waited too long/);
});

test("what it promises holds in random worlds", async () => {
  const { properties } = await mine.check(undefined, { runs: 20, properties: ["part-name-once"] });

  assert.deepEqual(
    properties.map(({ status }) => status),
    ["held"],
  );
});
