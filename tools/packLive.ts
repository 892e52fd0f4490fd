/**
 * `node tools/packLive.ts NODE PROGRAM`: from an empty folder, an installed package copies a scenario, lets a server on
 * loopback think in it, shows that on a terminal, and tells what was asked. Fails where any of it is not so.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { onTerminal } from "../test/cli/terminal.ts";
import { loopback } from "../test/edges/ollama/loopbackServer.ts";
import { newFolder, removeFolders } from "../test/folders.ts";

const command = process.argv.slice(2);
const [node = "", ...program] = command;
const cwd = newFolder();
const said = (...args: readonly string[]): string =>
  execFileSync(node, [...program, ...args], { cwd, encoding: "utf8" });

const server = await loopback({
  latencyMs: [60, 120],
  script: (nth) => (nth === 1 ? "nonsense" : undefined),
});
try {
  said("scenarios", "--copy", "lessons", "mine.yaml");
  const live = ["run", "mine.yaml", "--model", "ollama:tiny", "--host", server.host];
  const size = { cwd, columns: 80, rows: 24 };
  const watched = onTerminal([...live, "--until", "6m", "--out", "bundle"], { ...size, command });
  assert.equal(await watched.ended, 0, watched.screen.text());
  assert.match(watched.raw(), /mine \d+:\d\d of 6:00 · /);
  assert.match(watched.screen.text(), /^tiny: \d+ asked, \d+ answered · usable \d+ of \d+/m);
  const { asked, questions } = JSON.parse(said("prompts", "bundle", "--json"));
  assert.equal(asked, questions.length);
  assert.equal(asked, server.chats.length);
  const unusable = JSON.parse(said("prompts", "bundle", "--unusable", "--json")).questions;
  assert.equal(unusable[0].why, "it is no JSON object");
  assert.match(said("prompts", "bundle", "--summary"), /^\| Purpose /);
  assert.match(said("replay", "bundle"), /replays exactly/);
} finally {
  await server.close();
  removeFolders();
}
