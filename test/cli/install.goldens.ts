// `install check` on real Python, and on a folder of ten thousand files.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

const cwd = newFolder();
const llm_config = { provider: "openrouter", model: "google/gemini-3-flash-preview" };
const own = ["ReadAccess", "WriteAccess"].map((type) => ({ type, scopes: ["self.*"] }));
const weather = {
  ...{ agent_id: "weather-fetcher", artifact_id: "art_a1b2c3d4", llm_config },
  ...{ description: "Fetches weather data", instructions: "# Weather Agent\n\nYou are one." },
  capabilities: own,
};
const network = { type: "NetworkAccess", hosts: ["*"] };
const promotion_gate = {
  ...{ evaluator_pass: true, auditor_pass: true },
  security_analysis: { passed: true, threats_detected: [], remote_access_detected: true },
  capability_analysis: {
    ...{ inferred_capabilities: ["NetworkAccess"], missing_capabilities: [] },
    declared_capabilities: ["NetworkAccess", "ReadAccess", "WriteAccess"],
    analysis_passed: true,
  },
};
const write = (name: string, value: object): string => {
  writeFileSync(join(cwd, name), JSON.stringify(value));
  return name;
};
const asWritten = write("as-written.json", weather);
const corrected = write("corrected.json", {
  ...weather,
  ...{ capabilities: [...own, network], promotion_gate },
});
mkdirSync(join(cwd, "weather"));
writeFileSync(
  join(cwd, "weather/main.py"),
  'import urllib.request as u\n# requests.get("x")\nprint(u.urlopen("https://api.example.com/data"))\n',
);

describe("install check on real files", () => {
  it("[INS130] the seed's weather-fetcher is refused as written, and passes corrected (I7)", async () => {
    const check = (intent: string) =>
      json(["install", "check", intent, "--artifact", "weather"], { cwd });

    expect(await check(asWritten)).toMatchObject({
      verdict: "refused",
      reasons: [
        {
          check: "capabilities",
          evidence: [
            { file: "main.py", line: 1, pattern: "urllib.request" },
            { file: "main.py", line: 3, pattern: "urllib.request.urlopen" },
          ],
        },
      ],
    });
    expect(await check(corrected)).toMatchObject({ verdict: "passes", remoteAccess: true });
  });

  it("[INS133, INS135] ten thousand files are all looked at, and the one that matters is found", async () => {
    mkdirSync(join(cwd, "many"));
    for (let index = 0; index < 10_000; index++) {
      const [name, text] =
        index % 4 === 0
          ? [`f${index}.py`, `def f${index}(a):\n    return a + ${index}\n`]
          : [`f${index}.txt`, `${index}`];
      writeFileSync(join(cwd, "many", name), text);
    }
    writeFileSync(join(cwd, "many/f4444.py"), "import socket\nsocket.create_connection(1)\n");
    const said = await json(["install", "check", asWritten, "--artifact", "many"], { cwd });

    expect(said).toMatchObject({
      artifact: { files: 10_000 },
      reasons: [{ check: "capabilities", evidence: [{ file: "f4444.py", line: 1 }, { line: 2 }] }],
    });
  }, 300_000);

  it("[INS130] profile real goes by words, and finds what only looks like it", async () => {
    const { code, stdout } = await ghostlight(
      ["install", "check", corrected, "--artifact", "weather", "--profile", "real"],
      { cwd },
    );

    expect(code).toBe(1);
    expect(stdout).toContain("needed    NetworkAccess, WriteAccess; remote access: yes");
    expect(stdout).toContain(
      '(expected subset ["NetworkAccess", "WriteAccess"], got ["NetworkAccess"])',
    );
  });
});
