// What a start of the program loads is counted, since its time would be the machine's.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { program, type Said, saidBy } from "./ghostlight.ts";

/** Ours: ten of commander, one for the commands of each part, and what reads options, prints and hears signals. */
const MODULES_MAX = 28;

/** What the command, or a program of one's own, says, and the modules that it loads of the project and of its packages. */
async function startOf(
  line: string,
  file = program,
): Promise<Said & { readonly modules: readonly string[] }> {
  const folder = newFolder();
  const [hook, list] = [join(folder, "hook.mjs"), join(folder, "modules.json")];
  writeFileSync(
    hook,
    `import { writeFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    const modules = [];
    registerHooks({ load: (url, context, next) => (modules.push(url), next(url, context)) });
    process.on("exit", () => writeFileSync(${JSON.stringify(list)}, JSON.stringify(modules)));`,
  );
  const said = await saidBy(line.split(" "), {
    env: { NODE_OPTIONS: `--import=${pathToFileURL(hook)}` },
    file,
  });
  const loaded = JSON.parse(readFileSync(list, "utf8")) as string[];
  return { ...said, modules: loaded.filter((url) => url.startsWith("file:")) };
}

describe.concurrent("a start", () => {
  it.each([
    ["--help", 0],
    ["run --help", 0],
    ["--version", 0],
    ["run safe-file-executor --sead 3", 2],
    ["run safe-file-executor --until soon", 2],
  ])("[CL31] loads no more for `%s` than it needs", async (line, expected) => {
    const { modules, code, stderr } = await startOf(line);

    expect({ code, stderr: stderr !== "" }).toEqual({ code: expected, stderr: expected !== 0 });
    expect(modules.filter((url) => /\/(effect|yaml|xstate|@noble)\//.test(url))).toEqual([]);
    expect(modules.length, modules.join("\n")).toBeLessThanOrEqual(MODULES_MAX);
  });

  it("[CL31] lists the scenarios without loading what plays them", async () => {
    const { modules, stdout } = await startOf("scenarios");

    expect(stdout).toContain("safe-file-executor\n");
    expect(modules.filter((url) => /\/(effect|xstate|substrate\/kernel)/.test(url))).toEqual([]);
  });

  it("[CL31] loads nothing of a queue for a study that one machine plays", async () => {
    const { modules, code } = await startOf("sweep no-such-study");

    expect(code).toBe(2);
    expect(modules.some((url) => url.endsWith("/edges/studies/studyRuns.ts"))).toBe(true);
    expect(modules.filter((url) => /sql-pg|\/studies\/queue\//.test(url))).toEqual([]);
  });

  it("[CL31] loads no reader of logs and no gateway for a program that imports the library", async () => {
    const library = pathToFileURL(resolve("src/index.ts")).href;
    const file = join(newFolder(), "own.mjs");
    writeFileSync(file, `import ${JSON.stringify(library)};`);
    const { modules, code } = await startOf("", file);

    expect(code).toBe(0);
    expect(modules).toContain(library);
    expect(modules.filter((url) => /\/imported\/edge\/(input|wire|commands)\//.test(url))).toEqual(
      [],
    );
  });

  it("[CL31] makes digests by Node's SHA-256 before anything else makes one", async () => {
    const { modules } = await startOf("machines goal");

    // Errors name what is nearest, and no digest is made there.
    const own = modules.filter((url) => /\/src\/(?!machines\/nearest)/.test(url));
    const first = own.findIndex((url) => url.endsWith("/edges/bundle/nodeSha256.ts"));
    expect(first).toBeGreaterThan(0);
    expect(own.findIndex((url) => /\/(machines|actors\/[a-z]+\/part)\b/.test(url))).toBeGreaterThan(
      first,
    );
  });
});
