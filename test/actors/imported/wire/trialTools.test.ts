// Servers of tools in a run of a trial: recordings answer for them, or those of their tools run that may.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTrial } from "../../../../src/actors/imported/edge/trial/trialFile.ts";
import { TrialTools } from "../../../../src/actors/imported/edge/trial/trialTools.ts";
import {
  ExchangeWriter,
  exchangesIn,
  type McpLine,
} from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import {
  type AskedTool,
  askedTools,
  oneMore,
} from "../../../../src/actors/imported/edge/wire/recordedTools.ts";
import type { Json } from "../../../../src/machines/letter.ts";
import { ghostlight } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";

const line = (from: McpLine["from"], message: Json): McpLine => ({
  ...{ timestamp: "2026-01-01T00:00:00.000Z", from, message, server: "bank", stream: "1" },
});
const call = (name: string, args: Json, id = 1): McpLine =>
  line("client", { id, method: "tools/call", params: { name, arguments: args } });
const result = (text: string, id = 1): McpLine =>
  line("server", { id, result: { content: [{ type: "text", text }] } });

function recorded(lines: readonly McpLine[]): string {
  const folder = newFolder();
  const writer = new ExchangeWriter(exchangesIn(folder));
  for (const one of lines) writer.add(one);
  writer.close();
  return folder;
}

const text = (more: string) =>
  `why: x\ncommand: [a]\ntasks: { a: b }\nfaults: []\noutcomes: { a: { exit: 0 } }\n${more}\n`;
const trial = (more: string) => parseTrial(text(more), "t.yaml");
const of = (more: string, allowed: readonly string[] = []) =>
  new TrialTools({ trial: trial(more), allowed });

describe("with recordings", () => {
  const one = recorded([call("pay", { amount: 42 }), result("paid 42")]);
  const two = recorded([call("pay", { amount: 43 }), result("paid 43")]);
  const more = `recordings: [${one}, ${two}]`;

  it("[WR42] each of them answers, and each call that it answered is counted", () => {
    const tools = of(more);
    const texts = [43, 42].map((amount) => JSON.stringify(tools.told(call("pay", { amount }, 9))));

    expect(texts.map((text) => /"id":9.*paid \d+/.test(text))).toEqual([true, true]);
    expect([tools.spared, tools.left, tools.ended.aborted]).toEqual([{ pay: 2 }, null, false]);
    expect(tools.told(line("client", { id: 1, method: "ping" }))).toHaveLength(1);
    // What calls no tool, such as a list of them, is not counted.
    const [list] = askedTools([
      line("client", { id: 1, method: "tools/list" }),
      line("server", { id: 1, result: {} }),
    ]);
    expect(oneMore({ pay: 2 }, list as AskedTool)).toEqual({ pay: 2 });
  });

  it("[WR43] what none of them has ends the run, which is unknown, and nothing is answered any more", () => {
    const tools = of(more);
    const answers = [44, 42].map((amount) => JSON.stringify(tools.told(call("pay", { amount }))));

    expect(answers.join()).not.toContain("paid");
    expect(tools.left).toBe(
      "The recordings were left: pay was asked what none has, at params.arguments.amount.",
    );
    expect([tools.spared, tools.ended.aborted]).toEqual([{}, true]);
  });

  it.each([
    [[42, 42], "once"],
    [[43, 43, 43], "2 times"],
  ])("[WR43] a call that was recorded and is used up was asked again: %j", (amounts, times) => {
    const tools = of(`recordings: [${one}, ${two}, ${two}]`);
    for (const amount of amounts) tools.told(call("pay", { amount }));

    expect(tools.left).toBe(`The recordings were left: pay was asked again; recorded ${times}.`);
  });

  it("[WR43] a recording that breaks off in its last line is named before all else", async () => {
    const whole = readFileSync(exchangesIn(one), "utf8");
    const cut = newFolder();
    writeFileSync(exchangesIn(cut), `${whole}${whole.slice(0, 40)}`);
    const file = join(newFolder(), "t.yaml");
    writeFileSync(file, text(`recordings: [${one}, ${cut}]`));
    const { code, stderr } = await ghostlight(["trial", file, "--dry-run"]);

    expect([code, stderr]).toEqual([
      0,
      `The recording ${cut} breaks off in its last line, as a kill leaves it: that line is left out.\n`,
    ]);
  });

  it("[WR43] another recording makes another trial, and one without servers of tools is refused", () => {
    const other = recorded([call("pay", { amount: 42 }), result("refused")]);
    const stamps = [one, other].map((folder) => trial(`recordings: [${folder}]`).stamp);
    const hollow = recorded([line("client", "no message"), result("x")]);

    expect(stamps[0]).not.toBe(stamps[1]);
    expect(trial(`recordings: [${hollow}]`).recordings).toHaveLength(1);
    expect(() => trial(`recordings: [${join(one, "gone")}]`)).toThrow("no such file");
  });
});

describe("without recordings", () => {
  const list = line("server", {
    id: 0,
    result: { tools: [{ name: "look", annotations: { readOnlyHint: true } }, { name: "pay" }] },
  });
  const runs = (tools: TrialTools, name: string): boolean =>
    tools.told(call(name, {})).length === 0;

  it("[WR44] a tool runs that says that it reads alone, or that the file or the person names", () => {
    const [said, read, allowed, all] = [
      ...[of(""), of("reads: [pay]"), of("", ["pay"]), of("", ["all"])],
    ];
    for (const one of [said, read, allowed, all]) one?.told(list);

    expect(said && runs(said, "look")).toBe(true);
    expect([read, allowed, all].map((one) => one && runs(one, "pay"))).toEqual([true, true, true]);
    expect([said, read].map((one) => one?.refused)).toEqual([null, null]);
  });

  it("[WR44] what a tool of one server says of itself holds for no other server's of that name", () => {
    const tools = of("");
    tools.told(list);

    expect(tools.told({ ...call("look", {}), server: "mail" })).not.toEqual([]);
    expect(tools.refused?.message).toContain("--allow-effects look");
  });

  it("[WR44] any other is not called, and ends the trial with what to allow", () => {
    const tools = of("");
    tools.told(list);

    expect(runs(tools, "pay")).toBe(false);
    expect(tools.refused?.message).toContain("--allow-effects pay");
    expect(tools.ended.aborted).toBe(true);
  });
});
