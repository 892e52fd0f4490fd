import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { scenarioParts } from "../../src/builtIn/scenarioParts.ts";
import { studiesCommand } from "../../src/cli/study/studies.ts";
import { parseStudy } from "../../src/edges/studies/studyFile.ts";
import { promisedBy } from "../../src/run/check/promises.ts";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";

test("[ST56] `studies --new` writes a study that works, with its schema, and never over a file", async () => {
  const file = join(newFolder(), "mine.yaml");

  expect(await studiesCommand({ new: file })).toBe(0);
  const text = readFileSync(file, "utf8");
  const lists = { parts, scenarioParts, promised: await promisedBy(parts) };

  expect(text).toMatch(/^# yaml-language-server: \$schema=.*studies\/study\.schema\.json\n/);
  expect(parseStudy(lists, text, file)).toMatchObject({ name: "mine", isCompared: true });
  await expect(studiesCommand({ new: file })).rejects.toThrow("a file that is there already");
  for (const name of ["no folder/", "..", "../.."]) {
    await expect(studiesCommand({ new: name })).rejects.toThrow("a name or a path");
  }
});

test("[ST56] `studies` lists each study of the package, with its scenario and its question", async () => {
  const { code, stdout } = await ghostlight(["studies"]);
  const names = readdirSync("studies").flatMap((file) => file.match(/^(.+)\.yaml$/)?.[1] ?? []);

  expect(code).toBe(0);
  expect(stdout.match(/^\S+(?= \(on )/gm)?.sort()).toEqual(names.sort());
  expect(stdout).toMatch(/^lock-thresholds \(on [a-z-]+\)\n {2}\S.*\?/m);
});
