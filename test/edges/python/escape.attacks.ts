// A battery of escape attempts. Each is judged from outside (a file that must not appear, a secret
// that must not be read, a server that must not be reached) and by what stopped it.
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { attacks } from "./attacks.ts";
import { callTool, testCache } from "./opened.ts";

const SECRET = `secret-${process.pid}-${Math.random()}`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ghostlight-escape-"));
const host = path.join(folder, "secret.txt");
const drop = path.join(folder, "dropped.txt");
let hits = 0;
const server = http.createServer((_request, response) => {
  hits++;
  response.end(SECRET);
});
server.on("connection", () => hits++);
let sandbox: Sandbox;

beforeAll(async () => {
  fs.writeFileSync(host, SECRET);
  process.env["GHOSTLIGHT_CANARY"] = SECRET;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  sandbox = await openSandbox({ cacheFolder: testCache, spare: false });
});

afterAll(async () => {
  delete process.env["GHOSTLIGHT_CANARY"];
  await sandbox.close();
  server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test.each(attacks)("holds when $tries", async ({ code, answers }) => {
  const { port } = server.address() as AddressInfo;
  const aimed = code
    .replaceAll("{host}", host)
    .replaceAll("{drop}", drop)
    .replaceAll("{port}", String(port));
  const result = await callTool(sandbox, aimed, { limits: { wallMs: 8000 } });
  const said = JSON.stringify(result);

  expect(fs.readdirSync(folder), "only the secret lies in the folder").toEqual(["secret.txt"]);
  expect(hits, "nobody reached the server").toBe(0);
  expect(said).not.toContain(SECRET);
  expect(said).not.toMatch(new RegExp(`"result":(.*[^0-9])?${process.pid}[^0-9]`));
  expect(said).not.toContain(process.cwd());
  expect(said).not.toContain("root:x:0");
  expect(said, "what stopped it").toMatch(answers);

  const after = await callTool(sandbox, "def tool(): return 'alive'");
  expect(after.result).toBe("alive");
});

test("leaves nothing for the next call: builtins, modules, files, library, descriptors, hooks", async () => {
  const poison = String.raw`
import asyncio, builtins, gc, json, os, random, sys, time
builtins.len = lambda _: 42
json.loads = json.dumps
sys.modules["math"] = None
sys.settrace(lambda *_: None)
sys.path.insert(0, "/work")
os.environ["LEFT"] = "1"
time.time = lambda: 0
gc.disable()
random.seed(1)
keep = open("/tmp/left", "w"); os.dup2(keep.fileno(), 9)
open("/work/json.py", "w").write("left = 1")
os.mkdir("/work/__proto__"); open("/work/__proto__/constructor", "w").write("left")
os.chmod("/lib", 0); os.rename("/home", "/moved"); os.chdir("/tmp")
for path in ("/lib/python314.zip", "/lib/python3.14/sitecustomize.py", "/dev/null"):
    try: os.rename(path, "/tmp/gone")
    except OSError: pass
    try: open(path, "r+b").write(b"left")
    except OSError: pass
open("/work/last", "w").close()
def tool(): return sys.exit
`;
  const look = String.raw`
import gc, math, json, os, random, sys, time
def tool():
    return [len([]), json.loads("[1]"), sorted(os.listdir("/")), os.listdir("/work"), os.listdir("/tmp"),
            os.getcwd(), "LEFT" in os.environ, time.time(), gc.isenabled(), random.random(), sys.path,
            os.open("/work/x", os.O_CREAT), os.stat("/work/x").st_ino, os.path.exists("/work/__proto__"),
            os.stat("/lib").st_mode, os.listdir("/dev"), sys.gettrace() is None, len(sys.modules), id(tool)]
`;
  const before = await callTool(sandbox, look);
  const poisoned = await callTool(sandbox, poison);
  const after = await callTool(sandbox, look);

  expect(before.ok).toBe(true);
  expect(poisoned.files.map(({ path }) => path)).toContain("/work/last");
  expect(after).toEqual(before);
});

test("cannot see or spoil the snapshot on the host", async () => {
  const [file = ""] = fs.readdirSync(testCache).filter((name) => name.endsWith(".snapshot"));
  const before = fs.statSync(path.join(testCache, file)).mtimeMs;

  const code = `def tool():\n    return open(${JSON.stringify(path.join(testCache, file))}, "r+b").read(4)`;
  const result = await callTool(sandbox, code);

  expect(result.error?.type).toBe("FileNotFoundError");
  expect(fs.statSync(path.join(testCache, file)).mtimeMs).toBe(before);
});
