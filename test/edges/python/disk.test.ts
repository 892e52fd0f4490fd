// What one call puts on the virtual disk is bounded, and is no loss of the next.
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { callTool, testCache } from "./opened.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: testCache });
});
afterAll(() => sandbox.close());

const untilRefused = (step: string): string =>
  `import os\ndef tool():\n    try:\n        for n in range(10 ** 5): ${step}\n    except OSError as error: return [n, error.strerror]`;

it.each([
  ["files", untilRefused("os.close(os.open('/tmp/f%d' % n, os.O_CREAT))"), 5000],
  [
    "bytes",
    // The last byte that fits, and the first that does not.
    untilRefused(
      "os.write(os.open('/tmp/f%d' % n, os.O_CREAT | os.O_RDWR), b'x' * (1 << 20 if n < 32 else 1))",
    ),
    32,
  ],
])(
  "[SB1] [SB17] the next call has room for its files when one has used up its %s",
  async (_about, fill, count) => {
    const setting = { files: { "given.txt": "given", "folder/more.txt": "more" } };
    const full = await callTool(sandbox, fill);
    const next = await callTool(sandbox, "def tool(): return open('given.txt').read()", {
      setting,
    });
    const again = await callTool(sandbox, fill);

    expect(full.result).toEqual([count, "No space left on device"]);
    expect(next).toMatchObject({ ok: true, result: "given" });
    expect(again).toEqual(full);
  },
);

it.each([
  ["a file", "open('n' * 256, 'w')", "open('n' * 255, 'w')"],
  ["a file in more bytes than letters", "open('é' * 128, 'w')", "open('é' * 127, 'w')"],
  ["a folder", "os.mkdir('n' * 100_000)", "os.mkdir('n' * 255)"],
  ["a link's target", "os.symlink('t' * 4097, 'l')", "os.symlink('t' * 4096, 'l')"],
  ["a link", "os.symlink('t', 'n' * 5000)", "os.symlink('t', 'n' * 250)"],
  ["a new name", "os.rename('given', 'n' * 5000)", "os.rename('given', 'n' * 250)"],
])(
  "[SB17] the name of %s may be as long as on Linux, and no longer",
  async (_about, tooLong, fits) => {
    const setting = { files: { given: "x" } };
    const tool = (line: string): string => `import os\ndef tool():\n    ${line}\n    return 1`;

    const refused = await callTool(sandbox, tool(tooLong), { setting });

    expect(refused.error?.message).toContain("[Errno 37] Filename too long");
    expect(await callTool(sandbox, tool(fits), { setting })).toMatchObject({ result: 1 });
  },
);

test("[SB17] long names in deep folders fill neither JavaScript's memory nor the answer", async () => {
  const code = String.raw`
import os
def tool():
    for depth in range(70):
        try: os.mkdir("d" * 255)
        except OSError as error: return [depth, error.strerror]
        os.chdir("d" * 255)
        for n in range(14): open(str(n), "w").close()`;

  const result = await callTool(sandbox, code);

  expect(result.result).toEqual([15, "Filename too long"]);
  expect(JSON.stringify(result.files).length).toBeLessThan(1_000_000);
});
