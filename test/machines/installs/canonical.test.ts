// SKILL.md and runtime.lock from the intent. SPEC: "Installing agents (seed 003)".
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { anyText } from "../../../src/contract/anyText.ts";
import {
  type CanonicalIntent,
  canonicalFiles,
  canonicalIntent,
} from "../../../src/machines/installs/revisions/canonical.ts";
import type { Json } from "../../../src/machines/letter.ts";
import { gatePolicy } from "./gateRules.ts";

const { lock: locked } = gatePolicy();
const artifact = { id: "art_a1b2c3d4", digest: `sha256:${"a".repeat(64)}` };

const weather: CanonicalIntent = {
  agent_id: "weather-fetcher",
  description: "Fetches weather data",
  instructions: "# Weather Agent\n\nYou are a weather agent...",
  execution_mode: "reasoning",

  llm_config: { provider: "openrouter", model: "google/gemini-3-flash-preview", temperature: 0.1 },
  capabilities: [
    { type: "WriteAccess", scopes: ["self.*"] },
    { type: "ReadAccess", scopes: ["self.*", "docs/*"] },
  ],
};

const written = (intent: CanonicalIntent) => canonicalFiles(intent, artifact, locked);

function read(skill: string): { readonly head: Json; readonly body: string } {
  const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)\n$/.exec(skill) ?? [];
  return { head: parse(head) as Json, body };
}

const reversed = (value: unknown): unknown =>
  Array.isArray(value) || typeof value !== "object" || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, one]) => [key, reversed(one)]),
      );

describe("canonical files", () => {
  it("[INS56] are these, byte for byte", () => {
    expect(written(weather)["SKILL.md"]).toBe(`---
name: "weather-fetcher"
description: "Fetches weather data"
metadata:
  autonoetic:
    version: "1.0"
    runtime:
      engine: "ghostlight"
      runtime_lock: "runtime.lock"
    agent:
      id: "weather-fetcher"
      name: "weather-fetcher"
      description: "Fetches weather data"
    llm_config:
      model: "google/gemini-3-flash-preview"
      provider: "openrouter"
      temperature: 0.1
    capabilities:
      - type: "ReadAccess"
        scopes:
          - "docs/*"
          - "self.*"
      - type: "WriteAccess"
        scopes:
          - "self.*"
---

# Weather Agent

You are a weather agent...
`);
    expect(written(weather)["runtime.lock"]).toBe(`gateway:
  artifact: "ghostlight"
  version: "1.0"
  sha256: "unmanaged"
sdk:
  version: "1.0"
sandbox:
  backend: "ghostlight"
dependencies: []
artifacts:
  - id: "art_a1b2c3d4"
    digest: "sha256:${"a".repeat(64)}"
`);
  });

  it("[INS56] name mode and entry of a script; the artifact only where the lock names it", () => {
    const script = { ...weather, execution_mode: "script" as const, script_entry: "main.py" };

    expect(read(written(script)["SKILL.md"]).head).toMatchObject({
      metadata: { autonoetic: { execution_mode: "script", script_entry: "main.py" } },
    });
    expect(written(weather)["SKILL.md"]).not.toContain("execution_mode");
    for (const [of, policy] of [
      [null, locked],
      [artifact, { namesArtifact: false }],
    ] as const) {
      expect(parse(canonicalFiles(weather, of, policy)["runtime.lock"])).toMatchObject({
        artifacts: [],
      });
    }
  });

  it("[INS56] are the same for the same intent, in whatever order keys and capabilities come, and however often", () => {
    const { llm_config = {}, capabilities, ...rest } = weather;
    const other: CanonicalIntent = {
      capabilities: [...capabilities, ...capabilities]
        .reverse()
        .map((one) => reversed(one) as object),
      llm_config: reversed(llm_config) as object,
      ...(reversed(rest) as typeof rest),
    };

    expect(written(other)).toEqual(written(weather));
    expect(JSON.stringify(canonicalIntent(other))).toBe(JSON.stringify(canonicalIntent(weather)));
  });

  it("[INS56] differ where anything differs that the agent is made of", () => {
    const { llm_config: _, ...withoutModel } = weather;
    const others: readonly CanonicalIntent[] = [
      { ...weather, agent_id: "weather" },
      { ...weather, description: "Fetches" },
      { ...weather, instructions: `${weather.instructions} ` },
      { ...weather, execution_mode: "script" },
      { ...weather, script_entry: "main.py" },
      withoutModel,
      { ...weather, capabilities: weather.capabilities.slice(1) },
      { ...weather, background: { enabled: true, interval_secs: 300 } },
    ];

    expect(new Set([weather, ...others].map((one) => written(one)["SKILL.md"])).size).toBe(9);
  });

  it.each([
    "---\n# not the end\n---",
    '"\nname: "other"\n',
    "a: b # c",
    "- [x, {y: z}]",
    "&a *a !!js/function",
    "yes",
    "1e3",
    "\u0085\u2028\u2029\ufeff\u0000\u007f\u001b[31m",
    "\t\r\n",
    "😀 語",
    "%YAML 1.1",
  ])("[INS57] whatever a description says, %j is read back as it is and adds no field", (text) => {
    const skill = written({ ...weather, description: text, instructions: text })["SKILL.md"];

    const { head, body } = read(skill);
    expect(body).toBe(text);
    expect(head).toMatchObject({ name: "weather-fetcher", description: text });
    expect(Object.keys(head as object)).toEqual(["name", "description", "metadata"]);
    const plain = skill.slice(0, skill.length - body.length - 1).replaceAll(/[😀語]/gu, "");
    expect(plain).toMatch(/^[ -~\n]*$/);
  });

  it("[INS57] any text comes back, in any field", () => {
    const text = anyText().filter((one) => one.isWellFormed());
    fc.assert(
      fc.property(text, text, fc.array(text), (description, instructions, scopes) => {
        const capabilities = [{ type: "ReadAccess", scopes }];
        const one = { ...weather, description, instructions, capabilities };
        const { head, body } = read(written(one)["SKILL.md"]);
        expect(body).toBe(instructions);
        expect(head).toMatchObject({
          description,
          metadata: {
            autonoetic: {
              capabilities: [{ type: "ReadAccess", scopes: expect.arrayContaining(scopes) }],
            },
          },
        });
      }),
    );
  });
});
