// A person's word on an install between two runs, and in one, as its users see it.
import { cpSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { replay } from "../builtIn.ts";
import { readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json, type Said, started } from "./ghostlight.ts";
import { opsScenario } from "./opsScenario.ts";

const cwd = newFolder();
writeFileSync(join(cwd, "ops.yaml"), opsScenario);

const run = ["run", "./ops.yaml"];
const waits = "runs/ops-s1-1";
const install = (...args: readonly string[]) => ghostlight(["install", ...args], { cwd });

describe("later", () => {
  let left: Said;
  let id: string;
  beforeAll(async () => {
    left = await ghostlight([...run, "--gate", "later"], { cwd });
    id = /apr-[0-9a-f]{8}/.exec(left.stdout)?.[0] ?? "";
  });

  it("[INS142] the run says what waits and which commands decide it, and pending shows all of it", async () => {
    const [said, asJson, ofSynt] = await Promise.all([
      install("pending"),
      json(["install", "pending"], { cwd }),
      ghostlight(["synt", "pending"], { cwd }),
    ]);

    expect(left.code).toBe(0);
    for (const { stdout } of [left, said]) {
      expect(stdout).toContain(
        `${id} waits for a decision: the install of moltbook-ops (network_access)`,
      );
      expect(stdout).toContain(`npx ghostlight install approve ${id} --bundle ${waits}`);
    }
    expect(said.stdout).toContain('capability       NetworkAccess hosts ["localhost"]');
    expect(asJson.waits).toMatchObject([
      { bundle: waits, approval: id, dossier: { agentId: "moltbook-ops" } },
    ]);
    expect(ofSynt.stdout).toBe("Nothing in runs waits for a decision.\n");
  });

  it("[INS142] what does not wait is refused with what does, and synt decides no install", async () => {
    const [other, ofSynt] = await Promise.all([
      install("approve", "apr-00000000"),
      ghostlight(["synt", "approve", id, "--bundle", waits], { cwd }),
    ]);

    expect([other.code, ofSynt.code]).toEqual([2, 2]);
    expect(other.stderr).toContain(`allowed: ${id} in ${waits}`);
    expect(ofSynt.stderr).toContain("what this run waits for has commands of its own");
    expect(ofSynt.stderr).toContain(`install approve ${id}`);
  });

  it("[INS142, INS155, INS158] decided as the scenario's person does it goes as it would have gone, is decided once, by who says so", async () => {
    const gone = await json(["install", "approve", id, "--after", "1m"], { cwd });
    const scripted = await json(run, { cwd });
    const again = await install("approve", id);
    const rejecting = [
      "install",
      "reject",
      id,
      "--bundle",
      waits,
      "--as",
      "ada",
      "--feedback",
      "no",
    ];
    const otherwise = await json(rejecting, { cwd });

    expect(gone).toMatchObject({ decided: { [id]: "approve" }, from: waits });
    expect(gone.digest).toBe(scripted.digest);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("decided already")]);
    expect(otherwise).toMatchObject({ decided: { [id]: "reject" } });
    expect(otherwise.digest).not.toBe(gone.digest);
    expect(replay(readBundle(join(cwd, gone.bundle))).digest).toBe(gone.digest);

    const show = (bundle: string) => json(["install", "show", id, "--bundle", bundle], { cwd });
    expect(await show(gone.bundle)).toMatchObject({ status: "approved", decidedBy: "person" });
    expect(await show(otherwise.bundle)).toMatchObject({
      ...{ approval: id, status: "rejected", decidedBy: "ada", reason: "no" },
      ...{ intent: { agent_id: "moltbook-ops" }, dossier: { factors: ["network_access"] } },
    });
    const { stdout } = await install("show", id, "--bundle", otherwise.bundle);
    expect(stdout).toContain(`${id} is rejected by ada: no\n`);
    expect(stdout).toContain('  capability       NetworkAccess hosts ["localhost"]\n');
    const nameless = await install("reject", id, "--bundle", waits, "--as", " ");
    expect([nameless.code, nameless.stderr]).toEqual([
      2,
      expect.stringContaining("--as: found no name"),
    ]);
  });
});

it("[INS141] a person at the terminal is asked once more after what is no decision", async () => {
  const child = started([...run, "--gate", "terminal", "--out", "asked"], { cwd });
  let shown = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  child.stdout.resume();
  child.stdin.end("perhaps\nr too wide\n");
  await new Promise((done) => child.on("close", done));
  const { stdout } = await ghostlight(["events", "asked", "--full"], { cwd });

  expect(shown).toMatch(/May moltbook-ops be installed\?.*That is no decision\./s);
  expect(stdout).toContain("too wide");
  expect(stdout).not.toContain("revision.activated");
});

describe("a look at what was installed", () => {
  let revisions: readonly string[];
  beforeAll(async () => {
    await json(["run", "install-rollback", "--out", "rolled"], { cwd });
    const { stderr } = await install("show", "rev-x", "--bundle", "rolled");
    revisions = stderr.match(/rev-[0-9a-f]{8}/g) ?? [];
  });

  it("[INS158] a revision is shown whole, with its history", async () => {
    const [first = ""] = revisions;
    const said = await json(["install", "show", first, "--bundle", "rolled"], { cwd });
    const text = await install("show", first, "--bundle", "rolled");

    expect(said).toMatchObject({
      ...{
        bundle: "rolled",
        revision: first,
        agent: "notes-keeper",
        state: "active",
        artifact: null,
      },
      intent: { agent_id: "notes-keeper", instructions: expect.stringContaining("own folder") },
    });
    expect(said.history.map(({ action }: { action: string }) => action)).toEqual([
      ...["revision.created", "revision.approved", "revision.active"],
      ...["revision.superseded", "revision.active"],
    ]);
    expect(text.stdout).toContain(`${first} of notes-keeper is active, in rolled\n`);
    expect(text.stdout).toContain(": It writes over what others wrote.\n");
  });

  it("[INS158] two revisions of an agent are compared field by field", async () => {
    const [first = "", second = ""] = revisions;
    const said = await json(["install", "diff", first, second, "--bundle", "rolled"], { cwd });
    const same = await json(["install", "diff", first, first, "--bundle", "rolled"], { cwd });

    expect(said.changes).toContainEqual({
      path: "/intent/capabilities/2",
      after: { type: "WriteAccess", scopes: ["self.*"] },
    });
    expect(same.changes).toEqual([]);
    expect((await install("diff", first, first, "--bundle", "rolled")).stdout).toBe(
      `notes-keeper: ${first} and ${first} do not differ in any field.\n`,
    );
  });

  it("[INS158] an id that no gateway knows is refused with those that are there", async () => {
    const [first = ""] = revisions;
    const [nowhere, other, none] = await Promise.all([
      install("show", first.slice(0, -1), "--bundle", "rolled"),
      install("diff", first, "apr-00000000", "--bundle", "rolled"),
      install("show", "rev-00000000"),
    ]);

    expect([nowhere.code, other.code, none.code]).toEqual([2, 2, 2]);
    expect(nowhere.stderr).toContain(`Did you mean "${first}"?`);
    expect(nowhere.stderr).not.toContain("Name the run");
    expect(nowhere.stderr).toContain("Take an id of that run: `npx ghostlight events rolled`");
    expect(other.stderr).toContain('"apr-00000000", which no gateway of rolled knows');
    expect(none.stderr).toContain("which no gateway of runs knows");
  });

  it("[INS158] revisions of two runs are not compared, and it is said which run has which", async () => {
    const runs = join(newFolder(), "apart");
    mkdirSync(join(runs, "runs"), { recursive: true });
    cpSync(join(cwd, "rolled"), join(runs, "runs/rolled"), { recursive: true });
    await json(["run", "install-no-hosts", "--out", "runs/hosts"], { cwd: runs });
    const seen = await ghostlight(["install", "show", "rev-x", "--bundle", "runs/hosts"], {
      cwd: runs,
    });
    const [other = ""] = seen.stderr.match(/rev-[0-9a-f]{8}/g) ?? [];
    const [first = ""] = revisions;
    const { code, stderr } = await ghostlight(["install", "diff", first, other], { cwd: runs });

    expect(code).toBe(2);
    expect(stderr).toContain(
      `found ${first} in runs/rolled and ${other} in runs/hosts, and no run of runs that knows both`,
    );
    expect(stderr).toContain("`npx ghostlight diff runs/rolled runs/hosts` compares two runs");

    // Of two runs that know it, the newer one is asked.
    cpSync(join(cwd, "rolled"), join(runs, "runs/again"), { recursive: true });
    for (const [run, at] of [
      ["again", 2],
      ["rolled", 1],
    ] as const) {
      utimesSync(join(runs, "runs", run, "manifest.json"), at, at);
    }
    const newest = await ghostlight(["install", "show", first], { cwd: runs });
    expect(newest.stdout).toContain(`${first} of notes-keeper is active, in runs/again\n`);
  });
});
