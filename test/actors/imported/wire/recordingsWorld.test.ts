// A world of several recordings of one task: its agents go on as those did in which all was the same, also under a fault that some met.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtIn } from "../../../../src/builtIn/lists.ts";
import { recordAgent } from "../../../../src/index.ts";
import { leftRecording } from "../../../../src/run/leftRecording.ts";
import { observe } from "../../../builtIn.ts";
import { parseScenario } from "../../../builtInScenarios.ts";
import { ghostlight, type Json, json } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";
import { clerk, clerkModel, type Kind } from "./clerkModel.ts";

const cwd = newFolder();
let model: Awaited<ReturnType<typeof clerkModel>>;
beforeAll(async () => {
  model = await clerkModel();
});
afterAll(() => model.close());

interface Wish {
  readonly kind: Kind;
  readonly faults?: readonly string[];
  readonly seed?: number;
  readonly task?: string;
}

let count = 0;
/** The recordings of clerks, and what is made of them. */
async function worldOf(...wishes: readonly Wish[]) {
  const folders: string[] = [];
  for (const { kind, task, ...options } of wishes) {
    count += 1;
    const folder = join(cwd, `recording-${count}`);
    await recordAgent(clerk(kind, task), folder, { openai: model.base, ...options });
    folders.push(`recording-${count}/exchanges.jsonl`);
  }
  const file = `world-${count}.yaml`;
  const words = ["import", ...folders, "--scenario", file, "--out", `logs-${count}`];
  return { words, file };
}

const plain: Wish = { kind: "careful" };
const careful: Wish = { kind: "careful", faults: ["nothing@write_file"] };
const trusting: Wish = { kind: "trusting", faults: ["nothing@write_file"] };
const doubting: Wish = { kind: "doubting", faults: ["nothing@write_file"] };

/** The calls of a play with what they came to, and who left its recordings. */
function playOf(file: string, variant: string | null) {
  const scenario = parseScenario(readFileSync(join(cwd, file), "utf8"), file);
  const calls: unknown[] = [];
  const observed = observe(scenario, {
    variant,
    onDelivery: ({ event }: { event: { type: string; params?: unknown } }) => {
      if (event.type === "call.requested") calls.push(event.params);
    },
  });
  return { calls, left: leftRecording(builtIn.parts, observed.meter) };
}

describe("a world of several recordings", () => {
  it("[IM112] under a fault its agent goes on as the recordings did that met it", async () => {
    const { words, file } = await worldOf(plain, careful);
    await ghostlight(words, { cwd });
    const [a, b] = ["a.txt", "b.txt"].map((path) => ({ path, text: "order" }));

    expect(playOf(file, null)).toEqual({ calls: [a, b], left: null });
    expect(playOf(file, "nothing-write-file")).toEqual({ calls: [a, a], left: null });
  });

  it("[IM112] of several ways after the same answers that of most is played, and the file says how many there are", async () => {
    const { words, file } = await worldOf(plain, trusting, careful, doubting, careful);
    await ghostlight(words, { cwd });

    expect(playOf(file, "nothing-write-file").calls).toHaveLength(2);
    expect(readFileSync(join(cwd, file), "utf8")).toContain(
      "Not played: where agents went another way than most after the same answers (2 times).",
    );
  });

  it("[IM112] an answer that none of them has ends what is known of it", async () => {
    const { words, file } = await worldOf(plain, careful);
    await ghostlight(words, { cwd });
    const text = readFileSync(join(cwd, file), "utf8").replace("does: nothing", "does: wrong-type");
    const scenario = parseScenario(text, file);
    const { meter } = observe(scenario, { variant: "nothing-write-file" });

    expect(leftRecording(builtIn.parts, meter)?.agents).toEqual(["assistant"]);
  });

  it("[IM113] each recording is held against the world of the others under its faults: first the unknown, then the agreement", async () => {
    const { words } = await worldOf(plain, plain, careful, careful, trusting, doubting, {
      ...plain,
      faults: ["told-as-error@write_file"],
    });
    const { stdout } = await ghostlight(words, { cwd });
    const said = stdout.slice(stdout.indexOf("scenario"));

    // The world of the others has no recording in which a write was told as an error.
    expect(said).toMatch(/^scenario .*, a world of 7 recordings\nunknown {3}1 of 7 \(14 %\)/);
    // One clerk trusted, one looked: the others wrote again.
    expect(said).toContain("agrees    4 of the other 6 (67 %, 30 … 90)");
    expect(said).toContain("4 of these 4 ended in the same words as most that went so");
    expect(said).toContain("n = 7 recordings, not plays");
  });

  it("[IM113] also where a fault met some calls alone", async () => {
    const some: Wish = { kind: "careful", faults: ["nothing:0.5@write_file"], seed: 3 };
    const { words, file } = await worldOf(plain, some, some);
    const said = await json(words, { cwd });

    expect(readFileSync(join(cwd, file), "utf8")).toMatch(/calls:\n {10}- \d/);
    expect(said["scenario"]["recordings"].map(({ agrees }: Json) => agrees)).toEqual([
      null,
      true,
      true,
    ]);
  });

  it("[IM114] recordings under what no world has are left out, and told", async () => {
    const { words } = await worldOf(plain, plain, { ...plain, faults: ["refusal"] });
    const { stdout } = await ghostlight(words, { cwd });

    expect(stdout).toContain("a world of 2 recordings");
    expect(stdout).toContain("left out  1 recording under faults that no world has");
  });

  it("[IM114] where people say something else it is no recording of that task", async () => {
    const { words } = await worldOf(plain, { ...plain, task: "Store the list twice." });
    const { code, stderr } = await ghostlight(words, { cwd });

    expect(code).toBe(2);
    expect(stderr).toContain("one log, or recordings of one task, in which people say the same");
  });
});
