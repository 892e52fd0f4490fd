// Walls of the kernel around the same Python: answers are the same with and without.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findWalls } from "../../../src/edges/processes/bwrap.ts";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { nastyTools } from "./mixedTools.ts";
import { callTool, testCache } from "./opened.ts";

const folders = (process.env["PATH"] ?? "").split(path.delimiter);
const hasBwrap = folders.some((folder) => existsSync(path.join(folder, "bwrap")));
const limits = { wallMs: 30_000, events: 200_000 };
/** Ours: a process each. */
const NASTY = 8;

describe.skipIf(!hasBwrap)("inside bubblewrap (left out where it is not installed)", () => {
  let walled: Sandbox;
  let plain: Sandbox;
  beforeAll(async () => {
    walled = await openSandbox({ kind: "bwrap", cacheFolder: testCache });
    plain = await openSandbox({ kind: "pyodide", cacheFolder: testCache });
  });
  afterAll(async () => {
    await walled?.close();
    await plain?.close();
  });

  test("[SB6] it is the same Python, and its walls are named", () => {
    expect(walled.info).toEqual({ ...plain.info, walls: "bwrap" });
    expect(plain.info.walls).toBeNull();
  });

  test("[SB6] it answers as without walls: files, limits, time, entropy and errors", async () => {
    const tools = [
      "def tool(): return open('/etc/passwd').read()",
      "import os\ndef tool():\n    open('a', 'w').write('x')\n    return [os.getuid(), open('b').read()]",
      "def tool():\n    while True: pass",
      "import os, time, random\ndef tool(): return [time.time(), random.random(), os.uname(), os.listdir('/')]",
      "import os\ndef tool(): os._exit(3)",
      ...nastyTools.slice(0, NASTY).map(({ code }) => code),
    ];
    const asked = { limits, setting: { files: { b: "given" } } };

    for (const code of tools) {
      expect(await callTool(walled, code, asked), code).toEqual(await callTool(plain, code, asked));
    }
  });

  test("[SB6] the walls stand: no file of the host is written, also by the process itself", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "ghostlight-walls-"));
    const code = `import os\ndef tool():\n    os.makedirs("${folder}", exist_ok=True)\n    open("${folder}/x", "w").write("x")\n    return "written"`;

    expect((await callTool(walled, code)).result).toBe("written");
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

test.skipIf(process.platform !== "linux")(
  "[SB6] a folder by the name of bwrap is no bubblewrap, and the next one on the path is found",
  () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "ghostlight-path-"));
    const [first, second] = [path.join(folder, "first"), path.join(folder, "second")];
    mkdirSync(path.join(first, "bwrap"), { recursive: true });
    mkdirSync(second);
    writeFileSync(path.join(second, "bwrap"), "", { mode: 0o755 });

    const walls = findWalls([first, second].join(path.delimiter));

    expect(findWalls(first)).toBeNull();
    expect(walls?.(["node"], [])[0]).toBe(path.join(second, "bwrap"));
    rmSync(folder, { recursive: true });
  },
);
