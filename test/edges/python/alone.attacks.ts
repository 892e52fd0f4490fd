// One call leaves nothing for the next: whatever ran before, a tool answers as in a process of its own.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallResult } from "../../../src/edges/python/answer.ts";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { type MixedTool, mixedTool, nastyTools } from "./mixedTools.ts";
import { callTool, testCache } from "./opened.ts";

/** Enough for every honest piece; a loop reaches it in well under a second. */
const limits = { wallMs: 30_000, events: 400_000 };
/** `npm run soak` says more. */
const COUNT = Number(process.env["GHOSTLIGHT_MIXED_TOOLS"] ?? 12);
const files = { "given.txt": "given" };

/** Native code that hears nothing: the process is killed at the limit. */
const POWER = "def tool(): return 7 ** (10 ** 8)";
/** What warms a process up: compiled code, grown lists, cached attributes. */
const LOAD = "def tool(): return [sorted(str(n) for n in range(900)) for _ in range(30)][0][:2]";

/** The process that has worked, and those that take its place. */
let worked: Sandbox;
beforeAll(async () => {
  worked = await openSandbox({ cacheFolder: testCache });
});
afterAll(() => worked.close());

const run = (sandbox: Sandbox, { code, seed }: MixedTool): Promise<CallResult> =>
  callTool(sandbox, code, { limits, setting: { seed, files } });

async function inItsOwn(tool: MixedTool): Promise<CallResult> {
  const sandbox = await openSandbox({ cacheFolder: testCache, spare: false });
  return run(sandbox, tool).finally(() => sandbox.close());
}

/** Ours: a process of its own and two turns in the batch, on a machine that others use, too. */
const TOOL_MS_MAX = 10_000;

const drawn = (count: number): MixedTool[] => fc.sample(mixedTool, { numRuns: count });

test(
  "[SB1] a tool answers in a batch, in any order, as in a process of its own",
  async () => {
    const tools = drawn(COUNT);
    const alone: CallResult[] = [];
    for (const tool of tools) alone.push(await inItsOwn(tool));
    const order =
      fc.sample(fc.shuffledSubarray([...tools.keys()], { minLength: COUNT }), 1)[0] ?? [];

    const between = fc.sample(fc.constantFrom("nothing", "nothing", "a kill", "a load"), 2 * COUNT);
    for (const [turn, index] of [...order, ...order.toReversed()].entries()) {
      const tool = tools[index] as MixedTool;
      if (between[turn] === "a kill") await callTool(worked, POWER, { limits: { wallMs: 150 } });
      if (between[turn] === "a load") await callTool(worked, LOAD);
      expect(await run(worked, tool), tool.code).toEqual(alone[index]);
    }
  },
  120_000 + COUNT * TOOL_MS_MAX,
);

test("[SB1] after each nasty piece by itself an honest tool answers as before", async () => {
  const look: MixedTool = {
    code: String.raw`
import builtins, gc, json, os, random, signal, sys, time
def tool():
    print("seen")
    return [os.listdir("/"), os.getcwd(), os.open("n", os.O_CREAT), os.stat("n").st_ino, time.time(), random.random(),
            id(tool), len(sys.modules), open("/lib/python314.zip", "rb").read(40).hex(), gc.isenabled(), gc.get_threshold(),
            os.stat("/").st_mtime, os.stat("/lib").st_mode, sys.getrecursionlimit(), json.loads("[" * 5300 + "]" * 5300) is None]
`,
    seed: 3,
  };
  const before = await run(worked, look);
  expect(before).toMatchObject({ ok: true, stdout: "seen\n" });
  for (const tool of nastyTools) {
    await run(worked, tool);
    expect(await run(worked, look), tool.code).toEqual(before);
  }
}, 600_000);

test("[SB1] a process that the machine ended while it was idle is replaced, and no tool is blamed", () => {
  const program = fileURLToPath(new URL("./killedIdle.ts", import.meta.url));
  const said = execFileSync(process.execPath, ["--no-warnings", program], { encoding: "utf8" });
  const { killed, before, after } = JSON.parse(said);

  expect(killed).toBeGreaterThan(0);
  expect(before.ok).toBe(true);
  expect(after).toEqual(before);
});
