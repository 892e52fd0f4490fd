/** Agents that are wanted in random worlds: what their intents say, what their coders write, what comes along with them. Ours. */
import fc from "fast-check";
import { artifactIdOf } from "../../../machines/installs/content/artifact.ts";
import { handleOf } from "../../../machines/installs/content/content.ts";
import type { Json } from "../../../machines/letter.ts";
import { seconds } from "../../../machines/units.ts";
import { CODE_TEXTS, type CodeName, codeText } from "./codeTexts.ts";

const AGENTS = ["ink", "quill"];

/** Mostly one, so that revisions of the same agent take each other's place. */
export const agent = fc.constantFrom("ink", "ink", ...AGENTS);
const names = Object.keys(CODE_TEXTS) as CodeName[]; // The keys of that record.
const code = fc.oneof(
  { arbitrary: fc.constantFrom<CodeName>("sorts", "runs", "fetches", "runsToo"), weight: 2 },
  { arbitrary: fc.constantFrom(...names), weight: 1 },
);
export const own = [
  { type: "ReadAccess", scopes: ["self.*"] },
  { type: "WriteAccess", scopes: ["self.*"] },
];
const MORE: readonly Json[] = [
  { type: "WriteAccess", scopes: ["/agentOS/workspace/*"] },
  { type: "ReadAccess", scopes: ["*"] },
  { type: "AgentSpawn", max_children: 1 },
  { type: "NetworkAccess", hosts: ["*"] },
  { type: "CodeExecution", patterns: ["*"] },
  { type: "SandboxFunctions" },
];
const FAULTS: readonly { readonly [field: string]: Json }[] = [
  { agent_id: "../ink" },
  { agent_id: "cedar" },
  { capabilities: [] },
  { capabilities: [{ type: "ReadAccess" }] },
  { description: 7 },
  { instructions: "" },
  { artifact_id: "art_00000000" },
];

export const wish = fc.record({
  agent,
  does: fc.nat(2),
  more: fc.oneof(
    { arbitrary: fc.constant([]), weight: 1 },
    { arbitrary: fc.subarray([...MORE], { minLength: 1, maxLength: 2 }), weight: 1 },
  ),
  code: fc.option(code, { freq: 3 }),
  isDeclared: fc.constantFrom(true, true, true, true, false),
  fault: fc.oneof(
    { arbitrary: fc.constant(null), weight: 7 },
    { arbitrary: fc.constantFrom(...FAULTS), weight: 1 },
  ),
  gating: fc.constantFrom(null, null, null, null, "none", "required"),
  /** It comes with its artifact, and with evidence of judges, of whom these recorded. */
  handed: fc.option(fc.subarray(["evaluator", "auditor"]), { freq: 2 }),
  isLoose: fc.constantFrom(false, false, false, false, false, true),
  atMs: fc.oneof(fc.nat(seconds(5)), fc.nat(seconds(40))),
});
export type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never;

const numbered = (index: number): string => `(wish ${index + 1})`;

export function wishOf(one: Wish, index: number): { readonly [field: string]: Json } {
  const { code: name, isDeclared, gating, isLoose } = one;
  const isHanded = one.handed !== null;
  const needs = name === null || !isDeclared ? [] : codeText(name).needs;
  return {
    goal: `Keep page ${one.does} of the house ${numbered(index)}.`,
    code: name !== null && !isHanded,
    ...(isLoose && { loose: ["main.py"] }),
    ...(gating !== null && { gating }),
    intent: {
      ...{ agent_id: one.agent, description: `Keeps page ${one.does}` },
      instructions: `# Pages\n\nKeep page ${one.does} of the house.`,
      llm_config: { provider: "openrouter", model: "small", temperature: 0.1 },
      capabilities: [...own, ...one.more, ...needs],
      ...(name !== null && isHanded && { artifact_id: idOf(name), promotion_gate: shown(name) }),
      ...one.fault,
    },
  };
}

/** What its coder writes, whenever it is wanted; once told what is wrong, perhaps something that needs nothing. */
export const builds = ({ code: name, handed }: Wish, index: number) =>
  name === null || handed !== null
    ? []
    : [
        {
          ...{ id: `builds-${index + 1}`, to: "build", weight: 3 },
          ...{ match: numbered(index), answer: builtOf(name) },
        },
      ];

export const mends = { id: "mends", to: "build", match: "requires", answer: builtOf("sorts") };

function builtOf(name: CodeName) {
  const { file, text } = codeText(name);
  return { entrypoints: [file], files: { [file]: text } };
}

function idOf(name: CodeName): string {
  const { file, text } = codeText(name);
  const files = [{ name: file, handle: handleOf(text) }];
  return artifactIdOf({ files, entrypoints: [file], layers: [] }, { idOf: "names" });
}

/** As if both judges had passed it, and read in it what it does. */
function shown(name: CodeName): Json {
  const kinds = [...new Set([...own, ...codeText(name).needs].map(({ type }) => type))].sort();
  return {
    ...{ evaluator_pass: true, auditor_pass: true },
    security_analysis: {
      ...{ passed: true, threats_detected: [] },
      remote_access_detected: kinds.includes("NetworkAccess"),
    },
    capability_analysis: {
      ...{ inferred_capabilities: kinds, missing_capabilities: [] },
      ...{ declared_capabilities: kinds, analysis_passed: true },
    },
  };
}

/** What lies there from the start, each once, with the records of those who judged it. */
export function artifactsOf(wishes: readonly Wish[]): readonly Json[] {
  const byName = new Map(
    wishes.flatMap(({ code: name, handed }) =>
      name === null || handed === null ? [] : [[name, handed] as const],
    ),
  );
  return [...byName].map(([name, judges]) => ({
    ...builtOf(name),
    records: judges.map((role) => ({ role, pass: true })),
  }));
}
