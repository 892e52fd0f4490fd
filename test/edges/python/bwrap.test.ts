import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openSandbox } from "../../../src/edges/python/sandbox.ts";
import { callTool } from "./opened.ts";

const folders = (process.env["PATH"] ?? "").split(path.delimiter);
const hasBwrap = folders.some((folder) => existsSync(path.join(folder, "bwrap")));

test.skipIf(!hasBwrap)(
  "runs the system's Python behind walls (only where bwrap is installed)",
  async () => {
    const sandbox = await openSandbox({ kind: "bwrap" });
    const hidden = await callTool(sandbox, "def tool(): return open('/etc/passwd').read()");
    const seen = await callTool(
      sandbox,
      "import os\ndef tool():\n    open('a', 'w').write('x')\n    return [os.getuid(), open('b').read()]",
      { setting: { files: { b: "given" } } },
    );
    const late = await callTool(sandbox, "def tool():\n    while True: pass", {
      limits: { wallMs: 500 },
    });

    expect(hidden.error?.type).toBe("FileNotFoundError");
    expect(seen).toMatchObject({ ok: true, result: [65534, "given"] });
    expect(seen.files).toEqual([{ path: "/work/a", change: "created", bytes: 1, text: "x" }]);
    expect(late).toMatchObject({ timedOut: true, killed: true });
  },
);
