/** What JavaScript's names let a text do. Source: the seed's table (I3); the libraries that it means by "etc." are ours. */
import {
  type CodeFact,
  isBelow,
  isDownloader,
  LOOP,
  openedFor,
  type Reach,
  words,
} from "./codeFacts.ts";
import type { Inferable, ThreatPattern } from "./patterns.ts";

const NETWORK = words(`
  fetch XMLHttpRequest WebSocket EventSource navigator.sendBeacon http https http2 net tls dgram dns dns/promises
  axios node-fetch undici got ws request superagent ky needle socket.io socket.io-client express fastify koa
  Image RTCPeerConnection WebTransport Deno.connect Deno.listen Bun.connect Bun.serve bun.serve bun.connect`);
const RUNS = words(`
  eval Function require.call require.apply require.bind child_process vm worker_threads cluster module.createRequire Worker SharedWorker
  WebAssembly importScripts inspector repl execa shelljs cross-spawn zx vm2 Deno.Command Deno.run Deno.dlopen Bun.spawn Bun.$
  bun.$ bun.spawn bun.spawnSync bun:ffi inspector/promises wasi test.run v8.setFlagsFromString`);
const READS = words(`
  readFile createReadStream readdir opendir stat lstat access exists readlink realpath read readv watch watchFile glob
  openAsBlob copyFile cp`);
const WRITES = words(`
  writeFile appendFile createWriteStream unlink rm rmdir mkdir mkdtemp rename symlink link truncate ftruncate chmod
  fchmod lchmod chown fchown lchown utimes futimes lutimes write writev copyFile cp`);

function capabilities({ name, how, mode }: CodeFact): readonly Inferable[] {
  if (how === "unfamiliar") return [];
  if (how === "computed" || name.includes("(computed)")) return ["CodeExecution"];
  const found: Inferable[] = [];
  if (isDownloader(name) || isBelow(name, NETWORK) || /^https?:\/\//.test(name))
    found.push("NetworkAccess");
  if (isBelow(name, RUNS) || isDoor(name, how)) found.push("CodeExecution");
  const [module, member = ""] = name.split(".");
  if (module === "Deno" || module === "Bun") {
    if (/^(?:read|open|file)/.test(member)) found.push("ReadAccess");
    if (/^(?:write|open|remove|rename|mkdir|make)/.test(member)) found.push("WriteAccess");
  }
  if (module === "sqlite" && how !== "import") return [...found, "ReadAccess", "WriteAccess"];
  if (name === "v8.writeHeapSnapshot" && how !== "import") return [...found, "WriteAccess"];
  if (module !== "fs") return found;
  if (member === "") return how === "passed" ? [...found, "ReadAccess", "WriteAccess"] : found;
  const act = member.replace(/Sync$/, "");
  if (act === "open") return [...found, ...(how === "import" ? [] : openedFor(mode ?? null))];
  if (READS.has(act)) found.push("ReadAccess");
  if (WRITES.has(act)) found.push("WriteAccess");
  return found;
}

/** Who has these has all modules. */
const WHOLE = words("require globalThis process");
const isDoor = (name: string, how: CodeFact["how"]): boolean =>
  how === "passed" ? WHOLE.has(name) : how === "import" && name === "module";

const threats = ({ how }: CodeFact): readonly ThreatPattern[] => (how === "loop" ? [LOOP] : []);

const knows = (module: string): boolean => isBelow(module, NETWORK) || isBelow(module, RUNS);

export const javascriptReach: Reach = { capabilities, threats, knows };
