/**
 * What an agent may be allowed to do: the kinds of capabilities, their fields, and what to do about one that is
 * written wrongly. Source: seed 003, required: capabilities; rulings I2 and I12; dossier 1.2.
 */
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { type Fault, noObject, step, valueText } from "../fault.ts";

export const shapeLeaves = {
  shape: choice("seed", ["seed", "real"], {
    says: "Which fields an intent and its capabilities must have, and which they may have.",
    source: "seed 003; RULINGS I2; those of agent.install in the real system (real)",
  }),
};

export type ShapePolicy = ValuesOf<typeof shapeLeaves>;

/** As it stands in an intent. */
export type Capability =
  | { readonly type: "SandboxFunctions"; readonly allowed?: readonly string[] }
  | { readonly type: "ReadAccess" | "WriteAccess"; readonly scopes: readonly string[] }
  | { readonly type: "NetworkAccess"; readonly hosts: readonly string[] }
  | { readonly type: "AgentSpawn"; readonly max_children: number }
  | { readonly type: "AgentMessage"; readonly patterns: readonly string[] }
  | {
      readonly type: "BackgroundReevaluation";
      readonly min_interval_secs: number;
      readonly allow_reasoning: boolean;
    }
  | { readonly type: "CodeExecution"; readonly patterns?: readonly string[] }
  | { readonly type: "EmergencyStop" | "SchedulerAccess" }
  | { readonly type: "CredentialAccess"; readonly services: readonly string[] }
  | { readonly type: "MemoryAccess"; readonly scopes: readonly string[] };

export type CapabilityKind = Capability["type"];

type FieldShape = "texts" | "count" | "interval" | "flag";

/** A field as it must be, and as the example has it; none where the example leaves it out, as an intent may. */
type Field = readonly [shape: FieldShape, example?: Json];

interface KindShape {
  readonly fields: { readonly [field: string]: Field };
  /** The real system does not know it. */
  readonly isNew?: true;
}

const KINDS: { readonly [kind in CapabilityKind]: KindShape } = {
  SandboxFunctions: { fields: { allowed: ["texts"] } },
  ReadAccess: { fields: { scopes: ["texts", ["self.*"]] } },
  WriteAccess: { fields: { scopes: ["texts", ["self.*"]] } },
  NetworkAccess: { fields: { hosts: ["texts", ["*"]] } },
  AgentSpawn: { fields: { max_children: ["count", 3] } },
  AgentMessage: { fields: { patterns: ["texts", ["planner."]] } },
  BackgroundReevaluation: {
    fields: { min_interval_secs: ["interval", 300], allow_reasoning: ["flag", true] },
  },
  CodeExecution: { fields: { patterns: ["texts"] } },
  EmergencyStop: { fields: {} },
  CredentialAccess: { fields: { services: ["texts", ["moltbook"]] }, isNew: true },
  MemoryAccess: { fields: { scopes: ["texts", ["self.*"]] }, isNew: true },
  SchedulerAccess: { fields: {}, isNew: true },
};

/** Such as `{"type": "AgentSpawn", "max_children": 3}`. */
function exampleOf(type: CapabilityKind): string {
  const shown = Object.entries(KINDS[type].fields).map(([name, [, value]]) =>
    value === undefined ? "" : `, "${name}": ${JSON.stringify(value)}`,
  );
  return `{"type": "${type}"${shown.join("")}}`;
}

// The keys of the record above are the kinds.
export const CAPABILITY_KINDS = Object.keys(KINDS) as readonly CapabilityKind[];

/** Of a kind, what grants all of it. */
export const widest = (type: CapabilityKind): Json => {
  const { fields } = KINDS[type];
  const all = Object.entries(fields).map(([name, [shape]]) => [name, WIDEST[shape]] as const);
  return { type, ...Object.fromEntries(all) };
};

const WIDEST: { readonly [shape in FieldShape]: Json } = {
  texts: ["*"],
  count: 1,
  interval: 1,
  flag: true,
};

/** The kinds of a list, sorted, each once. */
export const kindsOf = (
  capabilities: readonly { readonly type: CapabilityKind }[],
): readonly CapabilityKind[] => [...new Set(capabilities.map(({ type }) => type))].sort();

const SHAPES: { readonly [shape in FieldShape]: string } = {
  texts: "a list of texts, none of them blank",
  count: "a whole number from 0 to 4294967295",
  interval: "a whole number of seconds, 1 or more",
  flag: "true or false",
};

const COUNT_MAX = 4_294_967_295;

const fits: { readonly [shape in FieldShape]: (value: Json, isReal: boolean) => boolean } = {
  texts: (value, isReal) =>
    Array.isArray(value) &&
    value.every((one) => typeof one === "string" && (isReal || one.trim() !== "")),
  count: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= COUNT_MAX,
  interval: (value, isReal) => Number.isSafeInteger(value) && Number(value) >= (isReal ? 0 : 1),
  flag: (value) => typeof value === "boolean",
};

/** One capability, or all that is wrong with it; `field` is where it stands. */
export function decodedCapability(
  value: Json,
  field: string,
  by: ShapePolicy,
): { readonly capability: Capability } | { readonly faults: readonly Fault[] } {
  const isReal = by.shape === "real";
  const known = CAPABILITY_KINDS.filter((one) => !(isReal && KINDS[one].isNew));
  const kind = isMap(value) ? known.find((one) => one === ownValue(value, "type")) : undefined;
  if (!isMap(value) || kind === undefined) {
    return { faults: [kindFault(value, field, known)] };
  }
  const { fields } = KINDS[kind];
  const example = exampleOf(kind);
  const faults: Fault[] = [];
  for (const [name, [shape, usual]] of Object.entries(fields)) {
    const given = ownValue(value, name);
    // The real system lets none be left out.
    if (given === undefined && !isReal && usual === undefined) continue;
    if (given !== undefined && fits[shape](given, isReal)) continue;
    const todo = `${kind} requires '${name}'. Correct format: ${example}${hint(kind)}`;
    faults.push({
      field: `${field}.${name}`,
      found: valueText(given),
      allowed: SHAPES[shape],
      todo,
    });
  }
  const names = ["type", ...Object.keys(fields)];
  for (const name of Object.keys(value).filter((one) => !names.includes(one))) {
    faults.push({
      field: `${field}${step(name)}`,
      found: "a field that this kind does not have",
      allowed: `${kind} has ${names.join(", ")}`,
      todo: `Remove it. Correct format: ${example}`,
    });
  }
  // Its type is a kind, and all of its fields, and no others, are as that kind has them.
  return faults.length > 0 ? { faults } : { capability: value as unknown as Capability };
}

const hint = (kind: CapabilityKind): string =>
  kind === "NetworkAccess"
    ? '. You MUST include "hosts": ["*"] for all hosts, or the hosts alone'
    : "";

function kindFault(value: Json, field: string, known: readonly CapabilityKind[]): Fault {
  const allowed = known.join(", ");
  const todo = `Write each capability as an object with its type, such as ${exampleOf("ReadAccess")}`;
  if (!isMap(value)) return noObject(field, value, todo);
  return { field: `${field}.type`, found: valueText(ownValue(value, "type")), allowed, todo };
}

/* How the real system words what is wrong with a capability. Source: dossier 1.2. */

/** In this order: the first word that the error holds chooses, be it the field that was expected instead. */
const HELPS: readonly (readonly [word: string, lines: readonly string[]])[] = [
  [
    "hosts",
    [
      "NetworkAccess capability requires 'hosts' field.",
      'Correct format: {"type": "NetworkAccess", "hosts": ["api.example.com"]}',
      'Use ["*"] to allow all hosts.',
    ],
  ],
  [
    "allowed",
    [
      "SandboxFunctions capability requires 'allowed' field.",
      'Correct format: {"type": "SandboxFunctions", "allowed": ["web.", "content."]}',
    ],
  ],
  [
    "scopes",
    [
      "ReadAccess or WriteAccess requires 'scopes' field.",
      'Correct format: {"type": "ReadAccess", "scopes": ["self.*"]}',
    ],
  ],
  [
    "max_children",
    [
      "AgentSpawn capability requires 'max_children' field.",
      'Correct format: {"type": "AgentSpawn", "max_children": 3}',
    ],
  ],
  [
    "unknown field",
    [
      "Unexpected field detected. Capability types only accept specific fields.",
      "- NetworkAccess: type, hosts",
      "- SandboxFunctions: type, allowed",
      "- ReadAccess/WriteAccess: type, scopes",
      "- AgentSpawn: type, max_children",
      "- CodeExecution: type, patterns",
      "Remove extra fields like 'description' or 'runtime'.",
    ],
  ],
];

/** A decoder's error with the help for it, where there is some. */
export function withHelp(error: string): string {
  const found = HELPS.find(([word]) => error.includes(word));
  return found === undefined ? error : `${error}\n\nHELP: ${found[1].join("\n")}`;
}
