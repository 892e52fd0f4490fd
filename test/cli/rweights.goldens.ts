// A person who refuses by a rule of their own, in runs made as docs/studies-shipped.md says: R learns what they know.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

/** What stands in the middle of the chains that fail, one for each wish. */
const FAILING = [
  ...["sort_entries", "classify_images", "filter_messages"],
  ...["compare_texts", "create_contacts", "move_packages"],
];

test("[ST183] weights found from refusals of chains that fail refuse those chains, and keep the rules", async () => {
  const cwd = newFolder();
  const shipped = readFileSync("scenarios/synt-chain-choice.yaml", "utf8");
  const refusals = FAILING.map((name) => {
    const match = JSON.stringify(`,"${name}",`);
    return `    - { id: refuses-${name.replace("_", "-")}, to: chain, match: ${match}, decision: discard }\n`;
  });
  const [before, after] = shipped.slice(0, shipped.indexOf("\nexpect:")).split("  person:\n");
  writeFileSync(join(cwd, "strict.yaml"), `${before}  person:\n${refusals.join("")}${after}\n`);
  for (const seed of ["1", "2", "3"]) {
    const out = ["--out", join("runs", seed), "--no-log"];
    expect((await ghostlight(["run", "./strict.yaml", "--seed", seed, ...out], { cwd })).code).toBe(
      0,
    );
  }
  const { stdout } = await ghostlight(["synt", "audit", "--decisions", "runs"], { cwd });
  writeFileSync(join(cwd, "decisions.jsonl"), stdout);
  const { fit } = await json(["tune", "rweights", "--decisions", "decisions.jsonl"], { cwd });

  const decided = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { verdict, what } of decided.filter(({ strategy }) => strategy === "compose")) {
    expect(verdict).toBe(
      FAILING.some((name) => what.includes(`→ ${name} →`)) ? "discard" : "approve",
    );
  }
  expect(decided.filter(({ verdict }) => verdict === "discard").length).toBeGreaterThan(3);
  // Whatever a person is asked has passed, so the given weights agree with each yes and with no no.
  expect(fit.given.confusion).toMatchObject({ missedTaken: 0, missedRefused: 0 });
  expect(fit.found.agreed).toBe(decided.length);
  expect(fit.found.broken).toEqual([]);
  expect(fit.found.weights.det).toBeGreaterThan(fit.given.weights.det);
}, 120_000);
