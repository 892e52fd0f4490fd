// A person's word between two runs, and the audit of a bundle, as their users see them.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { syntDecideCommand } from "../../src/actors/synt/edge/commands/gate.ts";
import { days } from "../../src/machines/units.ts";
import { replay } from "../builtIn.ts";
import { gateOption } from "../builtInRuns.ts";
import { readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { syntScenario } from "../syntWorld.ts";
import { ghostlight, json, type Said, started } from "./ghostlight.ts";
import { onTerminal } from "./terminal.ts";

/** Two chains are asked about. */
const play = ["run", "synt-audit-example"];
const cwd = newFolder();
const synt = (...args: string[]) => ghostlight(["synt", ...args], { cwd });
const asJson = (...args: string[]) => json(["synt", ...args], { cwd });
const waits = "runs/synt-audit-example-s11-1";
const went = "runs/synt-audit-example-s11-decided-1";

const replayed = (bundle: string) => replay(readBundle(join(cwd, bundle)));

/** A terminal that is none: lines from a pipe, which ends after them. */
function typed(args: readonly string[], lines: string): Promise<Said> {
  const child = started(args, { cwd });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  child.stdin.end(lines);
  return new Promise((done, failed) => {
    child.on("error", failed).on("close", (code) => done({ code, ...said }));
  });
}

describe("later", () => {
  let left: Said;
  beforeAll(async () => {
    left = await ghostlight([...play, "--gate", "later"], { cwd });
  });

  it("[SG6] the run says what waits and which commands decide it, and exits 0", () => {
    expect(left.code).toBe(0);
    expect(left.stdout).toContain("The run waits for a person's decision.");
    expect(left.stdout).toContain("| not yet | both turns were done");
    expect(left.stdout).not.toContain("| NO ");
    expect(left.stdout).toContain("req-0001 waits for a decision: chain read_files → ");
    expect(left.stdout).toContain(`npx ghostlight synt approve req-0001 --bundle ${waits}`);
    expect(left.stdout).toContain(`npx ghostlight synt reject req-0001 --bundle ${waits}`);
  });

  it("[SG9, SG6] pending shows the dossier with R and the commands that decide, in words and as JSON", async () => {
    const damaged = join(cwd, "damaged", "torn");
    mkdirSync(damaged, { recursive: true });
    writeFileSync(join(damaged, "manifest.json"), "{");
    const [said, one, all, torn] = await Promise.all([
      synt("pending"),
      asJson("pending", waits),
      asJson("pending"),
      synt("pending", "damaged"),
    ]);

    expect(said.code).toBe(0);
    expect(said.stdout).toMatch(/R +0\.\d{3}, reaches the threshold of 0\.650/);
    expect(said.stdout).toContain("strategy_cost_bonus");
    expect(one.waits).toEqual(all.waits);
    expect([torn.code, torn.stderr]).toEqual([0, expect.stringContaining("damaged/torn")]);
    expect(all.waits).toMatchObject([
      { bundle: waits, purpose: "chain", proposals: [{ request: "req-0001" }] },
    ]);
    expect(all.waits[0].commands).toContain(
      `npx ghostlight synt approve req-0001 --bundle ${waits}`,
    );
  });

  it("[SG9] what cannot be decided is refused with what waits, and nothing is written", async () => {
    const said = await Promise.all([
      synt("approve", "req-0099"),
      synt("approve", "req-0099", "--bundle", waits),
      synt("amend", "req-0001"),
      synt("pending", "nowhere"),
    ]);

    expect(said.map(({ code, stdout }) => [code, stdout])).toEqual(said.map(() => [2, ""]));
    const says = [`req-0001 in ${waits}`, "allowed: req-0001", "--feedback", "nowhere"];
    for (const [index, part] of says.entries()) expect(said[index]?.stderr).toContain(part);
    expect(readdirSync(join(cwd, "runs"))).toHaveLength(1);
  });

  it.each([
    [{ feedback: "no", target: "merge" }, "--target: found"],
    [{ feedback: "no", reject: ["req-0001"] }, "two decisions"],
    [{ feedback: "no", bundle: "nowhere" }, "nowhere: found no such folder"],
    [{ feedback: " " }, "--feedback: found none"],
  ])("[SG9] %j is refused", async (flags, says) => {
    await expect(syntDecideCommand("amend", ["req-0001"], flags)).rejects.toThrow(says);
  });

  it("[SG7] a word that would be heard after the end of the run is refused", async () => {
    const late = { bundle: join(cwd, waits), after: days(400) };

    await expect(syntDecideCommand("approve", ["req-0001"], late)).rejects.toThrow(
      "which is too late",
    );
  });

  it("[SG7] [SG9] approve goes on to the next question, reject to the end; all replays", async () => {
    const first = await asJson("approve", "req-0001", "--after", "25s");
    expect(first).toMatchObject({
      decided: { "req-0001": "approve" },
      ...{ from: waits, bundle: went, outcome: "waiting" },
      waits: { proposals: [{ request: "req-0002" }] },
    });

    const again = await synt("approve", "req-0001");
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`${went} goes on`)]);
    const heard = await synt("approve", "req-0001", "--bundle", went);
    expect([heard.code, heard.stderr]).toEqual([2, expect.stringContaining("approve was said")]);

    const second = await synt("reject", "req-0002", "--feedback", "not now", "--out", "over");
    expect(second.code).toBe(0);
    const over = await synt("approve", "req-0002", "--bundle", "over");
    expect([over.code, over.stderr]).toEqual([2, expect.stringContaining("waits for no decision")]);

    const words = ["--feedback", "read no files", "--target", "generate"];
    const other = await asJson("amend", "req-0001", "--bundle", waits, "--out", "other", ...words);
    expect(other).toMatchObject({ decided: { "req-0001": "amend" } });
    const heardIn = (bundle: string) =>
      readBundle(join(cwd, bundle)).inputs.find(
        (one) => one.kind === "reply" && one.port === "port/person.decide",
      );
    const heardThere = heardIn("other");
    const [after, atOnce] = [heardIn(went), heardThere].map((one) =>
      one?.kind === "reply" ? one.deliveredAt : null,
    );
    expect(Number(after) - Number(atOnce)).toBe(25_000);
    expect(JSON.stringify(heardThere)).toMatch(/"decision":"amend".*read no files.*"generate"/);
    for (const bundle of [waits, went, "over", "other"]) {
      expect(replayed(bundle)).toMatchObject({ matches: true });
    }
    const resumed = await ghostlight(["resume", waits], { cwd });
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining("synt approve")]);
  });
});

describe("at the terminal", () => {
  it("[SG1] [SG3] asks, takes the answer, and replays without anybody", async () => {
    const { code, stderr } = await typed(
      [...play, "--gate", "terminal", "--out", "asked"],
      "sure\na\nd\n",
    );

    expect(code).toBe(0);
    expect(stderr).toContain("I am about to call read_files → ");
    expect(stderr.match(/That is no decision/g)).toHaveLength(1);
    const again = await ghostlight(["replay", "asked"], { cwd });
    expect(again.stdout).toContain("replays exactly");
  });

  it.runIf(process.platform === "linux")(
    "[SG1] no progress is written over a question",
    async () => {
      const seen = onTerminal([...play, "--gate", "terminal", "--out", "shown"], {
        ...{ cwd, columns: 100, rows: 40 },
      });
      await expect.poll(() => seen.screen.text()).toMatch(/OK\?[\s\S]*\n>$/);
      const asked = seen.raw();
      seen.type("a\rd\r");

      expect(await seen.ended).toBe(0);
      expect(asked).not.toContain("of virtual time");
    },
  );

  it("[SG4] without anybody there, and with nobody, the run goes on to its end", async () => {
    const ended = await Promise.all([
      json([...play, "--gate", "terminal", "--out", "empty"], { cwd }),
      json([...play, "--gate", "nobody", "--out", "nobody"], { cwd }),
    ]);

    expect(ended).toMatchObject([{ outcome: "ended" }, { outcome: "ended" }]);
    expect(ended[0].digest).toBe(ended[1].digest);
    expect(ended[0].waits).toBeUndefined();
  });

  /** A run that asks, with its question on the terminal and its inputs on disk. */
  async function asking(out: string) {
    const child = started([...play, "--gate", "terminal", "--out", out], { cwd });
    const end = new Promise<number | null>((done) => child.on("close", done));
    let shown = "";
    child.stderr.on("data", (text) => {
      shown += text;
    });
    const inputs = join(cwd, out, "inputs.jsonl");
    const isAsked = () => shown.includes("OK?") && existsSync(inputs) && statSync(inputs).size > 0;
    await expect.poll(isAsked).toBe(true);
    return { child, end };
  }

  it("[SG8] kill -9 while a question is open loses nothing", async () => {
    const { child, end } = await asking("killed");
    child.kill("SIGKILL");
    await end;

    expect(readBundle(join(cwd, "killed")).manifest.final).toBeUndefined();
    expect(replayed("killed")).toMatchObject({ matches: true });
    const said = await asJson("approve", "req-0001", "--bundle", "killed", "--out", "revived");
    expect(said).toMatchObject({ outcome: "waiting", waits: { proposals: [{}] } });
    expect(replayed("revived")).toMatchObject({ matches: true });
  });

  it("[SG8] Ctrl-C completes the bundle; resume asks again on the terminal", async () => {
    const { child, end } = await asking("stopped");
    child.kill("SIGINT");

    expect(await end).toBe(130);
    expect(readBundle(join(cwd, "stopped")).manifest.final?.outcome).toBe("interrupted");
    const { code, stderr } = await typed(["resume", "stopped", "--out", "resumed"], "a\na\n");
    expect([code, stderr.match(/OK\?/g)?.length]).toEqual([0, 2]);
    expect(replayed("resumed")).toMatchObject({ matches: true });
  });

  it("[SG10] a gate that does not fit is refused, exit 2, with nothing written", async () => {
    const said = await ghostlight([...play, "--gate", "latr", "--out", "never"], { cwd });

    expect([said.code, said.stdout]).toEqual([2, ""]);
    expect(said.stderr).toContain('Did you mean "later"?');
    expect(existsSync(join(cwd, "never"))).toBe(false);
    const chains = syntScenario("synt-audit-example");
    const refusal = (flags: object, scenario = chains) => {
      return () => gateOption({ log: true, gate: "later", ...flags }, scenario);
    };
    expect(refusal({}, syntScenario("safe-file-executor"))).toThrow("a world without synt");
    expect(refusal({ seeds: "1..2" })).toThrow("--seeds");
    expect(refusal({ compare: true })).toThrow("--compare");
    expect(refusal({ gate: "scripted", compare: true })()).toBe("scripted");
    expect(refusal({})()).toBe("later");
  });
});

describe("synt audit", () => {
  beforeAll(async () => {
    await ghostlight([...play, "--out", "audited"], { cwd });
    await ghostlight(["run", "safe-file-executor", "--until", "1m", "--out", "bare"], { cwd });
  });

  it("[SG11, SN108] a table for each request, the calibration aid, the lines as they were written, and JSON", async () => {
    const [table, lines, said] = await Promise.all([
      synt("audit", "audited"),
      synt("audit", "audited", "--lines", "--request", "req-0002"),
      asJson("audit", "audited"),
    ]);

    expect(table.stdout).toMatch(/^req-0001: Put every PDF/m);
    expect(table.stdout).toMatch(/\| delivered +\| compose +\| 0\.\d{3} \| 0\.00 +\|/);
    const events = readFileSync(join(cwd, "audited", "events.jsonl"), "utf8");
    const written = lines.stdout.trimEnd().split("\n");
    expect(written.length).toBeGreaterThan(1);
    for (const line of written) {
      expect(JSON.parse(line)).toMatchObject({ request_id: "req-0002" });
      expect(events).toContain(JSON.stringify(`${line}\n`));
    }
    expect(said.lines.map(({ request_id }: { request_id: string }) => request_id)).toEqual(
      expect.arrayContaining(["req-0001", "req-0002"]),
    );
    // Not part of one request's table.
    const due = "of the 30 syntheses after which its weights are due for a look.";
    expect(table.stdout.trimEnd()).toMatch(new RegExp(`Calibration of R: \\d+ ${due}$`));
    expect(said.calibration).toMatchObject({ after: 30, isDue: false });
    expect(said.lines[0].file).toBe("/agentOS/workspace/.audit/synt/2026-04-25.jsonl");
  });

  it("[SN76] audit shows each proposal below the threshold on the way, with its terms", async () => {
    await ghostlight(["run", "synt-chain-choice", "--out", "refused", "--until", "15m"], { cwd });
    const { stdout } = await synt("audit", "refused", "--request", "req-0001");

    expect(stdout).toMatch(
      /\| \(refused\) \| compose +\| 0\.603 \| +\| read_files → sort_entries → move_files: .*det_pass_rate 0\.600/,
    );
    expect(stdout).toMatch(/\| composed +\| compose +\| 0\.687 \|/);
  });

  it("[SG11] an unknown request and a world without synt are refused", async () => {
    const said = await Promise.all([
      synt("audit", "audited", "--request", "req-0009"),
      synt("audit", "bare"),
    ]);

    expect(said.map(({ code, stdout }) => [code, stdout])).toEqual(said.map(() => [2, ""]));
    expect(said[0]?.stderr).toContain("req-0001 | req-0002");
    expect(said[1]?.stderr).toContain("a world without synt");
  });

  it("[SG11] a reader that leaves early is no error", async () => {
    const child = started(["synt", "audit", "audited", "--lines"], { cwd });
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((done) => child.on("close", done));

    expect(code).toBe(0);
  });
});
