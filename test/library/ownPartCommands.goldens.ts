// `npm run goldens`: a part of a program's own on the command line; in a process of its own where the part may end it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { ghostlight, saidBy } from "../cli/ghostlight.ts";
import { newFolder } from "../folders.ts";
import { bayText } from "./bayText.ts";

const part = ["--part", "test/library/ferryPart.ts"];

const cli = (...args: readonly string[]) => ghostlight(args);

/** A scenario, and the ferry with a meter that does this to each delivery. */
function brokenBay(does: string) {
  const folder = newFolder();
  const bay = join(folder, "bay.yaml");
  writeFileSync(bay, bayText);
  const broken = join(folder, "broken.ts");
  writeFileSync(
    broken,
    `import ferry from ${JSON.stringify(resolve("test/library/ferryPart.ts"))};
export default { ...ferry, meter: () => ({ observe: () => { ${does}; } }) };`,
  );
  return { folder, bay, broken };
}

it("[PT10] the command line plays and reads it with --part, workers too", async () => {
  const folder = newFolder();
  const file = join(folder, "bay.yaml");
  const out = join(folder, "run");
  writeFileSync(file, bayText);

  const played = await cli("run", file, ...part, "--out", out, "--compare");
  expect(played).toMatchObject({ code: 0 });
  expect(played.stdout).toMatch(/4 cars, seed 7: \d cars were taken across/);
  expect(played.stdout).toContain("larger");
  expect(existsSync(join(out, "picture.svg"))).toBe(true);
  expect(readFileSync(join(out, "report.md"), "utf8")).toContain("drove round the bay");
  const seeds = await cli("run", file, ...part, "--seeds", "1..3", "--json");
  expect(JSON.parse(seeds.stdout)).toMatchObject({ worlds: [{ world: "as it is" }, {}] });

  expect(await cli("replay", out, ...part)).toMatchObject({ code: 0 });
  expect((await cli("why", out, ...part)).stdout).toMatch(/Why car:/);
  expect((await cli("check", file, ...part, "--runs", "2", "--list")).stdout).toContain(
    "ferry-takes-all",
  );
  const without = await cli("replay", out);
  expect(without.code).toBe(2);
  expect(without.stderr).toMatch(/found a run that had the part "ferry".*\n.*--part FILE/);
});

it("[PT10] a part whose runs break is no part whose expectations fail", async () => {
  const { bay, broken } = brokenBay('throw new Error("lost")');

  const seeds = await cli("run", bay, "--part", broken, "--seeds", "1..2");
  expect(seeds).toMatchObject({ code: 70 });
  expect(seeds.stderr).toContain(
    "4 of 4 runs ended by a bug, of ghostlight or of a part of --part",
  );
});

it("[PT10] a file that holds no part is refused, with what to write in it", async () => {
  const folder = newFolder();
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const refusal = async (path: string) => (await cli("policy", "--part", path)).stderr;

  expect(await refusal(join(folder, "none.js"))).toMatch(
    /--part: found no such file; .*\nWrite `export/,
  );
  expect(await refusal(file("bare.mjs", "export const a = 1;"))).toContain(
    "without a default export",
  );
  expect(await refusal(file("broken.mjs", "export default ;"))).toContain("does not load: ");
  expect(await refusal(file("other.mjs", "export default 5;"))).toContain("found a number");
  expect(await refusal(file("throws.mjs", "throw Object.create(null);"))).toContain("has no text");
  const wrong = "export default { name: 'x', stage: { openings: 1 } };";
  expect(await refusal(file("wrong.mjs", wrong))).toContain("stage.openings");
  const twice = await cli("policy", ...part, ...part);
  expect(twice.stderr).toContain('the name "ferry", which the part ferry has');
});

it.each([
  ["ends the process", "process.exit(0)", /ended before its command was done/],
  ["rejects where nothing waits", 'void Promise.reject(new Error("adrift"))', /adrift/],
])("[PT16] a part that %s is no success and no broken promise", async (_what, does, says) => {
  const { folder, bay, broken } = brokenBay(does);

  for (const command of [
    ["run", bay],
    ["check", bay, "--runs", "2"],
  ]) {
    const args = [...command, "--part", broken, "--json", ...outFor(command, folder)];
    const ended = await saidBy(args, {});
    expect(ended.code, ended.stderr).toBe(70);
    expect(ended.stderr).toMatch(says);
    // Whole, be it of the error or of a run that was over before Node told.
    expect(JSON.parse(ended.stdout)).toBeTypeOf("object");
  }
});

const outFor = ([name]: readonly string[], folder: string): readonly string[] =>
  name === "run" ? ["--out", join(folder, "run")] : [];
