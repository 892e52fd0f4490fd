/**
 * SKILL.md and runtime.lock as the gateway writes them from an intent: same intent, same bytes, in whatever order its keys
 * came. Source: seed 003, key rule 3; dossier autonoetic 1.7. What is said for the record alone, such as `summary` and
 * `promotion_gate`, is in neither.
 */
import { stringify } from "yaml";
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { flag, type ValuesOf } from "../../policyLeaf.ts";
import { sortedJson } from "../../sortedJson.ts";

export const lockLeaves = {
  namesArtifact: flag(true, {
    says: "Whether runtime.lock names the reviewed artifact with its digest.",
    source: "ours (true); false in the real system",
  }),
};

export type LockPolicy = ValuesOf<typeof lockLeaves>;

/** Of a decoded intent, what its canonical files are made of. */
export interface CanonicalIntent {
  readonly agent_id: string;
  readonly description: string;
  readonly instructions: string;
  readonly execution_mode: "reasoning" | "script";
  readonly script_entry?: string;
  readonly llm_config?: object;
  /** In no order. */
  readonly capabilities: readonly object[];
  /** What wakes the agent. */
  readonly background?: object;
}

/** The artifact that was reviewed. */
export interface LockedArtifact {
  readonly id: string;
  readonly digest: string;
}

export interface CanonicalFiles {
  readonly "SKILL.md": string;
  readonly "runtime.lock": string;
}

const VERSION = "1.0";
const GATEWAY = { artifact: "ghostlight", version: VERSION, sha256: "unmanaged" };

/** Keys in order, on every level. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isMap(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key] ?? null)]));
}

/** Each once: an order among capabilities means nothing, nor among what one of them names. */
const sortedOnce = (values: readonly Json[]): readonly Json[] => {
  const byText = new Map(values.map((value) => [sortedJson(value), value]));
  return [...byText.keys()].sort().map((text) => byText.get(text) ?? null);
};

function canonicalCapability(capability: Json): Json {
  if (!isMap(capability)) return capability;
  const { type = null, ...fields } = capability;
  const lists = Object.entries(fields).map(([key, value]) => [
    key,
    Array.isArray(value) ? sortedOnce(value) : value,
  ]);
  const rest: { readonly [field: string]: Json } = Object.fromEntries(lists);
  // What it is comes first, as people write it.
  return { type, ...(inOrder(rest) as typeof rest) }; // A map in, a map out.
}

/** The intent as it is stored and compared, under the seed's names: what decides what the agent will be. */
export function canonicalIntent(intent: CanonicalIntent): { readonly [field: string]: Json } {
  const { agent_id, description, instructions, execution_mode } = intent;
  return present({
    ...{ agent_id, description, instructions, execution_mode },
    script_entry: intent.script_entry ?? null,
    llm_config: plain(intent.llm_config ?? null),
    background: plain(intent.background ?? null),
    capabilities: sortedOnce(intent.capabilities.map(plain).map(canonicalCapability)),
  });
}

/** All of a decoded intent came as JSON. */
const plain = (value: object | null): Json => inOrder(value as Json);

/** The fields that say something. */
const present = (fields: { readonly [field: string]: Json }): { readonly [field: string]: Json } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

export function canonicalFiles(
  intent: CanonicalIntent,
  artifact: LockedArtifact | null,
  { namesArtifact }: LockPolicy,
): CanonicalFiles {
  const { agent_id = null, description = null, ...rest } = canonicalIntent(intent);
  const { instructions: body, execution_mode, ...declared } = rest;
  const metadata = {
    name: agent_id,
    description,
    metadata: {
      autonoetic: present({
        version: VERSION,
        runtime: { engine: GATEWAY.artifact, runtime_lock: "runtime.lock" },
        agent: { id: agent_id, name: agent_id, description },
        // Reasoning is what is meant where nothing is said.
        execution_mode: execution_mode === "script" ? execution_mode : null,
        ...declared,
      }),
    },
  };
  const lock = {
    gateway: GATEWAY,
    sdk: { version: VERSION },
    sandbox: { backend: GATEWAY.artifact },
    dependencies: [],
    artifacts:
      artifact === null || !namesArtifact ? [] : [{ id: artifact.id, digest: artifact.digest }],
  };
  return {
    "SKILL.md": `---\n${yamlText(metadata)}---\n\n${body}\n`,
    "runtime.lock": yamlText(lock),
  };
}

/** Some readers of YAML refuse them, or take them for the end of a line. */
const ODD = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const escaped = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * YAML with every text in double quotes: whatever a text holds, it is read back as that text. Keys as they stand, in the order of the value's; only texts may hold odd letters, not keys. */
const yamlText = (value: Json): string =>
  stringify(value, {
    aliasDuplicateObjects: false,
    defaultKeyType: "PLAIN",
    defaultStringType: "QUOTE_DOUBLE",
    doubleQuotedAsJSON: true,
    lineWidth: 0,
    version: "1.2",
  }).replaceAll(ODD, escaped);
