/**
 * What agent.revision.create_from_intent is given: read whole, and where it is no intent, all that is wrong with it, each
 * with the right shape. Nothing is repaired or invented. Source: seed 003; rulings I2 and I11; dossier 1.1.
 */
import { defined } from "../defined.ts";
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Gating } from "./addresses.ts";
import { agentIdFault } from "./agentId.ts";
import { type Background, backgroundWork, type ScheduledActionKind } from "./background.ts";
import { type Capability, decodedCapability } from "./capability.ts";
import { type Fault, faultText, shown } from "./fault.ts";
import { FieldReader } from "./fieldReader.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import { decodedLlmConfig, LLM_SHAPE, type LlmConfig } from "./llmConfig.ts";
import { decodedGate, type PromotionGate } from "./promotionGate.ts";
import { withHelp } from "./realHelp.ts";
import { NO_ENTRY, relativePathFault } from "./relativePath.ts";

/** Under the seed's names: what is stored, shown and compared. A field that is absent is not there. */
export interface Intent {
  readonly agent_id: string;
  /** None for an agent that only uses existing tools. */
  readonly artifact_id?: string;
  readonly summary?: string;
  readonly description: string;
  readonly instructions: string;
  readonly execution_mode: "reasoning" | "script";
  readonly script_entry?: string;
  readonly llm_config?: LlmConfig;
  readonly capabilities: readonly Capability[];
  readonly promotion_gate?: PromotionGate;
  /** What the sender says that the planner said. */
  readonly gating?: Gating;
  /** The real system's alone. */
  readonly background?: Background;
  readonly scheduled_action?: ScheduledActionKind;
}

export type DecodedIntent =
  | { readonly intent: Intent }
  | { readonly faults: readonly [Fault, ...Fault[]] };

type IntentPolicy = Pick<GatePolicy, "shape" | "agentId">;

const FIELDS = [
  "agent_id",
  "artifact_id",
  "summary",
  "description",
  "instructions",
  "execution_mode",
  "script_entry",
  "llm_config",
  "capabilities",
  "promotion_gate",
  "gating",
];

const WHOLE =
  'Correct format: {"agent_id": "weather-fetcher", "artifact_id": "art_a1b2c3d4", "description": "…", "instructions": "# …", "capabilities": [{"type": "ReadAccess", "scopes": ["self.*"]}], "llm_config": {…}}';
const TO_PLANNER = "Report the gap to the planner; do not invent a value.";
const NO_LOOSE_FILES =
  "Loose files and raw handles are not installed: ask for the artifact_id, or ask coder to build one first.";

export function decodedIntent(json: Json, by: IntentPolicy): DecodedIntent {
  if (!isMap(json)) {
    const fault = { field: "intent", found: shown(json), allowed: "an object", todo: WHOLE };
    return { faults: [fault] };
  }
  const read = new FieldReader(json);
  const isReal = by.shape === "real";
  const llm = llmIn(read, isReal);
  const gate = gateIn(read, isReal);
  const capabilities = capabilitiesIn(read, by);
  const agentId = agentIdIn(read, by);
  const work = backgroundIn(read, isReal);
  const described = read.text("description", {
    isRequired: !isReal,
    todo: `${TO_PLANNER} ${SAYS}`,
  });
  const intent = defined<Intent>({
    agent_id: agentId,
    artifact_id: artifactIn(read, isReal) ?? undefined,
    summary: read.text("summary", { todo: '"summary" is a note on the revision.' }) ?? undefined,
    description: described ?? `Specialized agent ${agentId}`,
    instructions: instructionsIn(read),
    execution_mode: read.oneOf("execution_mode", MODES, MODE_TODO) ?? "reasoning",
    script_entry: scriptEntryIn(read) ?? undefined,
    llm_config: llm ?? undefined,
    capabilities,
    promotion_gate: gate ?? undefined,
    gating: isReal ? undefined : (read.oneOf("gating", GATINGS, GATING_TODO) ?? undefined),
    background: work?.background ?? undefined,
    scheduled_action: work?.scheduledAction ?? undefined,
  });
  // The real system looks at the whole only behind every other check.
  if (!isReal) wholeFaults(read, intent);
  if (!isReal) read.refuseOthers(FIELDS, `${NO_LOOSE_FILES} ${WHOLE}`);
  const [first, ...rest] = inOrder(read.faults, isReal);
  return first === undefined ? { intent } : { faults: [first, ...rest] };
}

/** What the real system looks at once all fields are read: what it has words of its own for. */
const READ_LAST = ["scheduled_action", "agent_id", "instructions"];

/** In the order in which the fields are told; unknown ones last. */
function inOrder(faults: readonly Fault[], isReal: boolean): readonly Fault[] {
  const place = ({ field, said }: Fault) => {
    if (isReal && said !== undefined) return FIELDS.length + 1 + READ_LAST.indexOf(field);
    const at = FIELDS.indexOf(/^\w*/.exec(field)?.[0] ?? "");
    return at < 0 ? FIELDS.length : at;
  };
  return [...faults].sort((a, b) => place(a) - place(b));
}

const MODES = ["reasoning", "script"] as const;
const MODE_TODO = 'Leave it out for "reasoning".';
const GATINGS = ["none", "required"] as const;
const GATING_TODO = "Say what the planner said, or leave it out.";
const SAYS = '"description": "Fetches weather data"';

function agentIdIn(read: FieldReader, by: IntentPolicy): string {
  const given = read.raw("agent_id");
  const fault = typeof given === "string" ? agentIdFault(given, by) : null;
  if (typeof given === "string" && fault === null) return given;
  const todo = 'Write it as "weather-fetcher".';
  const allowed = by.agentId === "loose" ? "letters, digits, '.', '-' and '_'" : HYPHENS;
  read.refuse("agent_id", allowed, todo, fault ?? undefined);
  return "";
}

const HYPHENS = "lowercase letters and digits with hyphens between, at most 64 characters";

function instructionsIn(read: FieldReader): string {
  const given = read.raw("instructions");
  if (typeof given === "string" && given.trim() !== "") return given;
  const said = typeof given === "string" ? "instructions must not be empty" : undefined;
  const todo = `${TO_PLANNER} "instructions": "# Weather Agent\\n\\n…"`;
  read.refuse("instructions", "a text in Markdown, not blank", todo, said);
  return "";
}

function artifactIn(read: FieldReader, isReal: boolean): string | null {
  const given = read.raw("artifact_id");
  if (given === null) {
    if (isReal) read.refuse("artifact_id", "an artifact_id", NO_LOOSE_FILES);
    return null;
  }
  if (typeof given === "string" && (isReal || /^art_[0-9a-f]{8}$/.test(given))) return given;
  read.refuse("artifact_id", "art_ and 8 hexadecimal digits, or none", NO_LOOSE_FILES);
  return null;
}

function scriptEntryIn(read: FieldReader): string | null {
  const entry = read.text("script_entry", { todo: '"script_entry": "main.py"' });
  const fault = entry === null ? null : relativePathFault(entry);
  if (fault === null) return entry;
  read.refuse("script_entry", "a path within the artifact", '"script_entry": "main.py"', fault);
  return null;
}

function capabilitiesIn(read: FieldReader, by: IntentPolicy): readonly Capability[] {
  const given = read.raw("capabilities");
  if (given === null) return [];
  if (!Array.isArray(given)) {
    read.refuse(
      "capabilities",
      "a list",
      '"capabilities": [{"type": "NetworkAccess", "hosts": ["*"]}]',
    );
    return [];
  }
  return given.flatMap((one: Json, index) => {
    const decoded = decodedCapability(one, `capabilities[${index}]`, by);
    if ("capability" in decoded) return [decoded.capability];
    read.faults.push(...decoded.faults);
    return [];
  });
}

function llmIn(read: FieldReader, isReal: boolean): LlmConfig | null {
  const given = read.raw("llm_config");
  if (given === null) return null;
  const { config, faults } = decodedLlmConfig(given, { ignoresOthers: isReal });
  read.faults.push(...faults);
  return config;
}

function gateIn(read: FieldReader, isReal: boolean): PromotionGate | null {
  const given = read.raw("promotion_gate");
  if (given === null) return null;
  const { value, faults } = decodedGate(given, { ignoresOthers: isReal });
  read.faults.push(...faults);
  return value;
}

function backgroundIn(read: FieldReader, isReal: boolean) {
  if (!isReal) return null;
  const work = backgroundWork(read.raw("background"), read.raw("scheduled_action"));
  if (work.error !== null)
    read.refuse("scheduled_action", "work in the background", "", work.error);
  return work;
}

/** What no field shows by itself. */
function wholeFaults(read: FieldReader, intent: Intent): void {
  const has = (name: string) => read.raw(name) !== null;
  // Of a mode that is none, nobody knows what it would need.
  const isMode = MODES.some((mode) => mode === (read.raw("execution_mode") ?? "reasoning"));
  const mode = isMode ? intent.execution_mode : null;
  if (mode === "script" && !has("script_entry")) {
    const todo = '"script_entry": "main.py" is the path of the entry script.';
    read.refuse("script_entry", "a path within the artifact", todo, NO_ENTRY);
  }
  if (mode === "reasoning" && !has("llm_config")) {
    const todo = `An agent that reasons needs a model. ${TO_PLANNER} Correct format: ${LLM_SHAPE}`;
    read.refuse("llm_config", "an object", todo);
  }
  if (has("artifact_id")) return;
  const reviewed = kindsNamed(read.raw("capabilities")).filter(
    (type) => type === "CodeExecution" || type === "AgentSpawn",
  );
  const because = [...(mode === "script" ? ["a script agent"] : []), ...new Set(reviewed)].join(
    ", ",
  );
  if (because === "") return;
  const allowed = `an artifact_id, for ${because}: these require code review`;
  read.refuse("artifact_id", allowed, NO_LOOSE_FILES);
}

/** Whatever else is wrong with them. */
const kindsNamed = (capabilities: Json): readonly Json[] =>
  Array.isArray(capabilities)
    ? capabilities.map((one: Json) => (isMap(one) ? (ownValue(one, "type") ?? null) : null))
    : [];

/** The first fault as the tool tells it. */
export function intentError([first]: readonly [Fault, ...Fault[]], by: IntentPolicy): string {
  if (by.shape === "seed") return faultText(first);
  if (first.said !== undefined) return first.said;
  const name = /\w+(?=\W*$)/.exec(first.field)?.[0] ?? first.field;
  const error =
    first.found === "nothing"
      ? `missing field \`${name}\``
      : first.allowed.includes(" has ")
        ? `unknown field \`${name}\`, expected ${first.allowed}`
        : `invalid value: ${first.found}, expected ${first.allowed}`;
  const told = first.field.startsWith("capabilities[") ? withHelp(error) : error;
  return `Invalid JSON arguments for 'agent.install': ${told}`;
}
