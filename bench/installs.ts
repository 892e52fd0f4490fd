/**
 * `npm run bench:installs`: installs checked a second, as create_from_intent does it, without Python and with one file of it; and a
 * folder of 10,000 files, half Python and half JavaScript, each of its own. Absolute numbers belong to the machine.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { artifactFolder, type Folder } from "../src/actors/installs/edge/artifactFolder.ts";
import { type CheckTools, checkedInstall } from "../src/actors/installs/edge/installCheck.ts";
import { parts } from "../src/builtIn/parts.ts";
import { policyWith } from "../src/contract/policyTree.ts";
import { openSandbox } from "../src/edges/python/sandbox.ts";
import { redactor } from "../src/edges/redaction.ts";
import { inTemporaryFolder } from "./temporaryFolder.ts";

const CHECKS = 300;
const FILES = 10_000;

const intentOf = (index: number) => ({
  ...{ agent_id: `agent-${index}`, description: "Fetches", instructions: "# Fetch" },
  llm_config: { provider: "openrouter", model: "google/gemini-3-flash-preview" },
  capabilities: [{ type: "ReadAccess", scopes: ["self.*"] }],
});

const python = (index: number): string =>
  `import requests as r\n\ndef go_${index}(city):\n    """Fetches."""\n    return r.get(f"https://x/{city}").text\n`;
const javascript = (index: number): string =>
  `export const go${index} = async (city) => (await fetch("https://x/" + city)).text();\n`;

function fill(root: string, files: number): void {
  for (let index = 0; index < files; index++) {
    const folder = join(root, `part-${Math.floor(index / 500)}`);
    if (index % 500 === 0) mkdirSync(folder);
    const [name, text] =
      index % 2 === 0 ? [`f${index}.py`, python(index)] : [`f${index}.js`, javascript(index)];
    writeFileSync(join(folder, name), text);
  }
}

/** Of one Python file. */
const small = (index: number): Folder =>
  inTemporaryFolder((root) => {
    writeFileSync(join(root, "main.py"), python(index));
    return artifactFolder(root);
  });

const large = (): { readonly folder: Folder; readonly readMs: number } =>
  inTemporaryFolder((root) => {
    fill(root, FILES);
    const started = performance.now();
    const folder = artifactFolder(root);
    return { folder, readMs: performance.now() - started };
  });

const elapsed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

async function checks(
  tools: CheckTools,
  folder: (index: number) => Folder | null,
): Promise<number> {
  const ms = await elapsed(async () => {
    for (let index = 0; index < CHECKS; index++) {
      const [intent, records, gating] = [intentOf(index), null, null] as const;
      const from = "specialized_builder.default";
      await checkedInstall({ intent, folder: folder(index), from, gating, records }, tools);
    }
  });
  return Math.round((CHECKS * 1_000) / ms);
}

async function main(): Promise<void> {
  const sandbox = await openSandbox();
  const tools = { python: sandbox, policy: policyWith(parts, {}), redactor: redactor() };
  const without = await checks(tools, () => null);
  const withPython = await checks(tools, small);
  const { folder, readMs } = large();
  const intent = intentOf(0);
  const given = { intent, folder, from: "", gating: null, records: null };
  const checkMs = await elapsed(() => checkedInstall(given, tools));
  await sandbox.close();
  const result = {
    node: process.version,
    processors: os.availableParallelism(),
    checksPerSecond: { withoutCode: without, ofOnePythonFile: withPython },
    folder: { files: FILES, readMs: Math.round(readMs), checkMs: Math.round(checkMs) },
  };
  console.log(JSON.stringify(result, null, 2));
}

await main();
