// The arrows of the house, read from the sources: the linter holds them, and this says that it does.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { builtIn } from "../src/builtIn/lists.ts";
import { parts } from "../src/builtIn/parts.ts";
import { namesIn, refuseTwice } from "../src/edges/parts/joinedParts.ts";
import { checkedLists } from "../src/edges/pool/checkWorlds.ts";
import { servicesOf, statechartsOf } from "../src/run/cast.ts";
import { policyWith } from "./builtIn.ts";
import { services, statecharts } from "./cast.ts";

const names = parts.map(({ name }) => name);
const IMPORT = /(?:from|import\() ?"(\.[^"]+)"/g;

/** The part whose folder a file lies in; undefined for the core. */
const partOf = (file: string): string | undefined =>
  names.find((name) => new RegExp(`^src/(?:actors|machines)/${name}/`).test(file));

const arrows = globSync("src/**/*.ts").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, to = ""]) => ({
    from: file,
    to: path.posix.join(path.posix.dirname(file), to),
  })),
);

it("no part imports another", () => {
  const crossing = arrows.filter(({ from, to }) => {
    const [own, other] = [partOf(from), partOf(to)];
    return own !== undefined && other !== undefined && own !== other;
  });

  expect(arrows.some(({ from }) => partOf(from) === "synt")).toBe(true);
  expect(crossing).toEqual([]);
});

it("of the core only the lists of parts, and what biome.json names, import a part", () => {
  const named = readFileSync("biome.json", "utf8").split("noPartInCore.grit")[1]?.split("]")[0];
  const allowed = [...(named ?? "").matchAll(/"!(src\/(?:[^"*]+\.ts|builtIn\/))/g)].map(
    ([, file]) => file ?? "",
  );
  const found = arrows.filter(({ from, to }) => partOf(from) === undefined && partOf(to));

  const isAllowed = (file: string) => allowed.some((one) => file.startsWith(one));

  expect(allowed.length).toBeGreaterThan(2);
  expect(found.map(({ from }) => from).filter((file) => !isAllowed(file))).toEqual([]);
});

it("only what starts a program imports the lists of the built-in parts", () => {
  const found = arrows.filter(
    ({ to }) => to.startsWith("src/builtIn/") || to === "src/partCommands.ts",
  );

  expect([...new Set(found.map(({ from }) => from))].sort()).toEqual([
    "src/actors/agents/edge/commands/tool.ts",
    "src/actors/installs/edge/commands/check.ts",
    "src/actors/skills/edge/commands/lessons.ts",
    "src/actors/skills/edge/commands/skill.ts",
    ...["src/actors/synt/edge/commands/rweights.ts", "src/actors/synt/edge/commands/synt.ts"],
    ...["src/builtIn/lists.ts", "src/cli/chosenParts.ts", "src/cli/main.ts"],
    ...[
      "src/edges/pool/checkWork.ts",
      "src/edges/pool/findWork.ts",
      "src/edges/pool/playWork.ts",
      "src/edges/pool/trialPlayer.ts",
      "src/edges/studies/studyPlayer.ts",
    ],
    "src/library/world.ts",
  ]);
});

it("[PT9] the built-in parts share no name, and promise nothing twice", async () => {
  const names = namesIn(builtIn);

  expect(() => refuseTwice(names)).not.toThrow();
  expect(new Set(names.map(({ what }) => what)).size).toBeGreaterThan(9);
  await expect(checkedLists(builtIn)).resolves.toMatchObject(builtIn);
});

it("[KN21] the tests of all machines see every statechart and service that the parts have", () => {
  const policy = policyWith({});

  expect(Object.keys(statecharts(policy)).sort()).toEqual(
    Object.keys(statechartsOf(parts, policy)).sort(),
  );
  expect(Object.keys(services(policy)).sort()).toEqual(
    Object.keys(servicesOf(parts, policy)).sort(),
  );
});
