import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BadInput } from "../../src/edges/errors.ts";
import { listScenarios } from "../../src/edges/scenario/scenarioFolder.ts";
import { loadScenario, parseScenario } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";

const folder = newFolder();

const small = `why: w
source: s
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 1h
agents: [cedar]
model:
  goals:
    - slug: note
      weight: 1
      text: Write (goal {n})
      artifact: /agentOS/workspace/{n}.md
      plans: [{ id: only, weight: 1, steps: [{ intent: write file }] }]
`;

function written(name: string, content: string | Uint8Array = small): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function refusalOf(run: () => unknown): BadInput {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof BadInput) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}

test("the shipped scenario is found by its name", () => {
  const { scenario, text, file } = loadScenario("safe-file-executor");
  const [ask, archive] = scenario.events;

  expect(file).toBe(join("scenarios", "safe-file-executor.yaml"));
  expect(text).toBe(readFileSync(file, "utf8"));
  expect(scenario).toMatchObject({
    name: "safe-file-executor",
    seed: 7,
    runsForMs: 7_200_000,
    agents: ["cedar", "cipher", "vault"],
  });
  expect(scenario.limits).toEqual({});
  expect(scenario.policy["stressors.enabled"]).toEqual(["repeated_failure"]);
  expect(scenario.tools).toHaveLength(9);
  expect(ask).toEqual({
    id: "ask-for-safer-writes",
    atMs: 1_800_000,
    does: "host.message",
    agent: "cedar",
    text: "Two files were cut short last night. Please make file writing safer for everybody.",
  });
  expect(archive).toMatchObject({ atMs: 5_520_000, does: "files.move" });
  expect(scenario.expect[0]).toMatchObject({ actor: null, op: ">=", value: 0.9, at: 1_800_000 });
  expect(scenario.variants["no-ghost"]).toEqual(
    expect.objectContaining({
      policy: {},
      events: [],
      without: { events: [], choices: ["goal:safer-writes"] },
    }),
  );
});

test("what is left out has a default", () => {
  const scenario = parseScenario(small, "a/b/My world.yml");

  expect(scenario).toEqual({
    name: "My world",
    why: "w",
    source: "s",
    startsAt: "2026-05-02T09:00:00Z",
    seed: 1,
    runsForMs: 3_600_000,
    agents: ["cedar"],
    profiles: {},
    tools: [],
    files: {},
    world: { answers: [] },
    model: {
      malformedPerMille: 0,
      goals: [
        {
          slug: "note",
          agents: [],
          weight: 1,
          heard: null,
          claimBelow: null,
          when: {},
          text: "Write (goal {n})",
          artifact: "/agentOS/workspace/{n}.md",
          evidence: null,
          plans: [
            { id: "only", weight: 1, when: {}, steps: [{ intents: ["write file"], params: {} }] },
          ],
        },
      ],
    },
    events: [],
    policy: {},
    limits: {},
    expect: [],
    variants: {},
  });
});

test("a path works with and without its ending, and a name in another folder", () => {
  const file = written("mine.yaml");
  written("yours.yml");

  expect(loadScenario(file).scenario.name).toBe("mine");
  expect(loadScenario(file.replace(".yaml", "")).file).toBe(file);
  expect(loadScenario(join(folder, "yours")).scenario.name).toBe("yours");
  expect(loadScenario("yours", { folder }).scenario.name).toBe("yours");
});

test("a byte order mark and Windows line ends change nothing", () => {
  const file = written("windows.yaml", `\ufeff${small.replaceAll("\n", "\r\n")}`);

  expect(loadScenario(file).scenario).toEqual(parseScenario(small, file));
});

test("scenarios are listed by name, and a folder that is not there has none", () => {
  expect(listScenarios().map(({ name }) => name)).toContain("safe-file-executor");
  expect(listScenarios(join(folder, "gone"))).toEqual([]);
});

test("an unknown name comes with the nearest and with the list", () => {
  expect(refusalOf(() => loadScenario("safe-file-exectuor")).message).toMatch(
    /^found no scenario "safe-file-exectuor"; allowed: .*safe-file-executor.* \| a path to a YAML file\. Did you mean "safe-file-executor"\?\n.*`ghostlight scenarios`/,
  );
});

test.each(["", "gone.yaml", "gone/gone", "\0", "a\0b.yaml", "constructor", "..", "."])(
  "%j is no scenario",
  (name) => {
    expect(refusalOf(() => loadScenario(name)).exitCode).toBe(2);
  },
);

test("a folder is named as one", () => {
  mkdirSync(join(folder, "inner"), { recursive: true });

  expect(refusalOf(() => loadScenario(join(folder, "inner"))).found).toContain("a folder");
});

test("a file of 100 MB is refused by its size", () => {
  const file = written("huge.yaml", "");
  truncateSync(file, 100_000_000);

  expect(refusalOf(() => loadScenario(file))).toMatchObject({
    where: { file },
    found: "100000000 bytes",
    allowed: "up to 4194304 bytes",
  });
});

test("a file of exactly 4 MiB is read, one byte more is not", () => {
  const padded = (bytes: number) => small + "#".repeat(bytes - small.length);

  expect(loadScenario(written("full.yaml", padded(4_194_304))).scenario.seed).toBe(1);
  expect(refusalOf(() => loadScenario(written("full.yaml", padded(4_194_305)))).found).toBe(
    "4194305 bytes",
  );
});

test("binary files are named as such", () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

  expect(refusalOf(() => loadScenario(written("a.yaml", png))).found).toContain("no UTF-8");
  expect(refusalOf(() => loadScenario(written("b.yaml", png.fill(0)))).found).toContain("binary");
  expect(refusalOf(() => loadScenario(written("c.yaml", ""))).found).toBe("an empty file");
});

test.skipIf(process.platform === "win32")("a device is no scenario", () => {
  expect(refusalOf(() => loadScenario("/dev/zero")).found).toBe("no regular file");
});

test("[SC5, SC6] a point means a share in a scenario's policy and in a variant's, and nowhere else", () => {
  const {
    policy,
    variants,
    expect: asked,
  } = parseScenario(
    `${small}policy: { locks.constrained: 1.0, locks.dominant: 1, locks.crisis: &a .55, model.gpuMs: 1m30s }
expect: [{ name: n, metric: load, op: "<=", value: 1.0 }]
variants:
  other:
    why: w
    policy: { locks.prominent: 0.350, locks.constrained: *a, locks.crisis: 1.0, locks.dominant: 1, synt.locks.abandonMs: 30d }
`,
    "x.yaml",
  );

  expect(policy).toEqual({
    ...{ "locks.constrained": 1_000_000, "locks.dominant": 1, "locks.crisis": 550_000 },
    "model.gpuMs": 90_000,
  });
  expect(variants["other"]?.policy).toEqual({
    ...{ "locks.prominent": 350_000, "locks.constrained": 550_000 },
    ...{ "locks.crisis": 1_000_000, "locks.dominant": 1 },
    "synt.locks.abandonMs": 2_592_000_000,
  });
  expect(asked[0]?.value).toBe(1);
  const wrong = "policy: { locks.crisis: 0.0000001 }";
  for (const text of [wrong, `variants:\n  other:\n    why: w\n    ${wrong}`]) {
    const { found } = refusalOf(() => parseScenario(`${small}${text}\n`, "x.yaml"));
    expect(found).toBe("0.0000001");
  }
});

test("[SC7] a variant asks for what it says, for what the scenario expects, or for nothing", () => {
  const own = '{ name: own, metric: load, op: "<=", value: 1 }';
  const { expect: asked, variants } = parseScenario(
    `${small}expect: [{ name: scenario's, metric: load, op: "=", value: 0 }]
variants:
  silent: { why: w }
  empty: { why: w, expect: [] }
  same: { why: w, expect: inherit }
  other: { why: w, expect: [${own}] }
`,
    "x.yaml",
  );
  const names = Object.entries(variants).map(([name, one]) => [
    name,
    one.expect.map((each) => each.name),
  ]);

  expect(names).toEqual([
    ["silent", []],
    ["empty", []],
    ["same", ["scenario's"]],
    ["other", ["own"]],
  ]);
  expect(variants["same"]?.expect).toEqual(asked);
});
