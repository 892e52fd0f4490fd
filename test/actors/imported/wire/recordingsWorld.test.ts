// A world of several recordings of one task: its agents go on as those did in which all was the same, also under a fault that some met.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtIn } from "../../../../src/builtIn/lists.ts";
import { recordAgent } from "../../../../src/index.ts";
import { leftRecording } from "../../../../src/run/leftRecording.ts";
import { observe } from "../../../builtIn.ts";
import { parseScenario } from "../../../builtInScenarios.ts";
import { ghostlight } from "../../../cli/ghostlight.ts";
import { quotedCommands } from "../../../cli/quotedCommands.ts";
import { misquoted } from "../../../cli/readmeTexts.ts";
import { newFolder } from "../../../folders.ts";
import { clerk, clerkModel, type Kind } from "./clerkModel.ts";

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

/** The recordings of clerks, and what is made of them. */
async function worldOf(...wishes: readonly Wish[]) {
  const cwd = newFolder();
  const folders: string[] = [];
  for (const { kind, task, ...options } of wishes) {
    const name = `recordings/${folders.length + 1}`;
    const folder = join(cwd, name);
    await recordAgent(clerk(kind, task), folder, { openai: model.base, ...options });
    folders.push(`${name}/exchanges.jsonl`);
  }
  const said = await ghostlight(["import", ...folders, "--scenario", "world.yaml"], { cwd });
  const text = said.code === 0 ? readFileSync(join(cwd, "world.yaml"), "utf8") : "";
  return { ...said, text, cwd };
}

const plain: Wish = { kind: "careful" };
const careful: Wish = { kind: "careful", faults: ["nothing@write_file"] };
const trusting: Wish = { kind: "trusting", faults: ["nothing@write_file"] };
const some: Wish = { kind: "careful", faults: ["nothing:0.5@write_file"], seed: 3 };
const doubting: Wish = { kind: "doubting", faults: ["nothing@write_file"] };

/** The calls of a play with what they came to, and who left its recordings. */
function playOf(text: string, variant: string | null) {
  const calls: unknown[] = [];
  const { meter } = observe(parseScenario(text, "world.yaml"), {
    variant,
    onSeen: ({ event }) => {
      if (event.type === "call.requested") calls.push(event.params);
    },
  });
  return { calls, left: leftRecording(builtIn.parts, meter) };
}

describe("a world of several recordings", () => {
  it("[IM112] under a fault its agent goes on as the recordings did that met it", async () => {
    const { text } = await worldOf(plain, careful);
    const [a, b] = ["a.txt", "b.txt"].map((path) => ({ path, text: "order" }));

    expect(playOf(text, null)).toEqual({ calls: [a, b], left: null });
    expect(playOf(text, "nothing-write-file")).toEqual({ calls: [a, a], left: null });
  });

  it("[IM112] of several ways after the same answers that of most is played, and the file says how many there are", async () => {
    const { text } = await worldOf(plain, trusting, careful, doubting, careful);

    expect(playOf(text, "nothing-write-file").calls).toHaveLength(2);
    expect(text).toContain(
      "Not played: where agents went another way than most after the same answers (2 times).",
    );
  });

  it("[IM112] tools answer what they really did, which is what a fault changes", async () => {
    const { text } = await worldOf(careful, plain);
    const { tools } = parseScenario(text, "world.yaml");

    expect(tools[0]?.table?.rows.map(({ outcomes }) => outcomes[0])).toMatchObject([
      { ok: true, result: "wrote a.txt" },
      { ok: true, result: "wrote b.txt" },
    ]);
    expect(playOf(text, null).left).toBeNull();
  });

  it("[IM112] an answer that none of them has ends what is known of it", async () => {
    const { text } = await worldOf(plain, careful);
    const other = text.replace("does: nothing", "does: wrong-type");

    expect(playOf(other, "nothing-write-file").left?.agents).toEqual(["assistant"]);
  });

  it("[IM115] each fault that recordings met is a variant once, with the calls that met it where others did not", async () => {
    const { text } = await worldOf(plain, careful, careful, some);
    const { variants, expect: expects } = parseScenario(text, "world.yaml");

    expect(expects).toMatchObject([{ metric: "recording.left", op: "=", value: 0 }]);
    expect(variants).toMatchObject({
      "nothing-write-file": {
        why: expect.stringContaining("2 recordings of 4 met that."),
        faults: [{ does: "nothing", tool: "write_file" }],
        expect: expects,
      },
      "nothing-write-file-2": { faults: [{ calls: [1, 3] }] },
    });
    expect(variants["nothing-write-file"]?.faults?.[0]?.calls ?? null).toBeNull();
  });

  it("[IM113] each is held against the world of the others under its faults: first the unknown, then the agreement, as docs/record-your-agent.md has it", async () => {
    const error: Wish = { ...plain, faults: ["told-as-error@write_file"] };
    const wishes = [plain, plain, careful, careful, trusting, doubting, error];
    const { stdout } = await worldOf(...wishes);
    const page = quotedCommands("docs/record-your-agent.md");
    const quoted = page.find(({ args }) => args[0] === "import")?.lines ?? [""];

    // In no other recording a write was told as an error. Of four to whom it returned nothing two wrote again, and without one of these nobody is most.
    expect(misquoted(quoted, stdout)).toEqual([]);
  });

  it("[IM113] also where a fault met some calls alone; n is the number of recordings", async () => {
    const { stdout } = await worldOf(plain, some, some);

    expect(stdout).toContain("unknown   1 of 3 recordings (33 %)");
    expect(stdout).toContain("agrees    2 of the other 2 (100 %, 34 … 100)");
    expect(stdout).toContain("n = 3 recordings, not plays");
  });

  it("[IM114] recordings under what no world has are left out, and told", async () => {
    const { stdout } = await worldOf(plain, plain, { ...plain, faults: ["refusal"] });

    expect(stdout).toContain("a world of 2 recordings");
    expect(stdout).toContain("left out  1 recording under faults that no world has");
  });

  it("[IM114] one is left of two, of which the other is told as left out", async () => {
    const { stdout } = await worldOf(plain, { ...plain, faults: ["refusal"] });

    expect(stdout).toContain("a world of the log");
    expect(stdout).toContain("left out  1 recording under faults that no world has");
  });

  it("[IM114] one that is given again, also as a copy, counts once", async () => {
    const both = ["nothing@write_file", "refusal"];
    const { cwd } = await worldOf(plain, careful, { ...plain, faults: both });
    cpSync(join(cwd, "recordings/2"), join(cwd, "copy"), { recursive: true });
    const given = ["recordings/1", "recordings/2", "recordings/2", "copy", "recordings/3"];
    const files = given.map((folder) => `${folder}/exchanges.jsonl`);
    const { stdout } = await ghostlight(["import", ...files, "--scenario", "again.yaml"], { cwd });

    expect(stdout).toContain("a world of 2 recordings");
    expect(stdout).toContain(
      "left out  1 recording under faults that no world has, 2 recordings given again",
    );
  });

  it("[IM114] where people say something else it is no recording of that task", async () => {
    const { code, stderr } = await worldOf(plain, { ...plain, task: "Store the list twice." });

    expect(code).toBe(2);
    expect(stderr).toContain("one log, or recordings of one task, in which people say the same");
  });
});
