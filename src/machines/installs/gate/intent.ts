/**
 * What agent.revision.create_from_intent is given: read whole, and where it is no intent, all that is wrong with it, each
 * with the right shape. Nothing is repaired or invented. Source: seed 003; rulings I2 and I11; dossier 1.1.
 */
import { defined } from "../../defined.ts";
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { GATINGS, type Gating } from "../addresses.ts";
import {
  type Fault,
  type Faults,
  FieldReader,
  FLAG,
  faultText,
  noObject,
  numberFrom,
  oneOf,
  TEXT,
} from "../fault.ts";
import { type Capability, decodedCapability, type ShapePolicy, withHelp } from "./capability.ts";
import { gateIn, type PromotionGate } from "./evidence.ts";

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

type IntentPolicy = ShapePolicy & ValuesOf<typeof agentIdLeaves>;

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

export function decodedIntent(
  json: Json,
  by: IntentPolicy,
): { readonly intent: Intent } | { readonly faults: Faults } {
  if (!isMap(json)) return { faults: [noObject("intent", json, WHOLE)] };
  const read = new FieldReader(json, "", WHOLE);
  const isReal = by.shape === "real";
  const llm = llmIn(read, isReal);
  const gate = gateIn(read, isReal);
  const capabilities = capabilitiesIn(read, by);
  const agentId = agentIdIn(read, by);
  const work = backgroundIn(read, isReal);
  const toldSo = `${TO_PLANNER} ${SAYS}`;
  const described = isReal
    ? read.may(TEXT, "description", toldSo)
    : read.must(TEXT, "description", toldSo);
  const intent = defined<Intent>({
    agent_id: agentId,
    artifact_id: artifactIn(read, isReal) ?? undefined,
    summary: read.may(TEXT, "summary", '"summary" is a note on the revision.') ?? undefined,
    description: described ?? `Specialized agent ${agentId}`,
    instructions: instructionsIn(read),
    execution_mode: read.may(oneOf(MODES), "execution_mode", MODE_TODO) ?? "reasoning",
    script_entry: scriptEntryIn(read) ?? undefined,
    llm_config: llm ?? undefined,
    capabilities,
    promotion_gate: gate ?? undefined,
    gating: isReal ? undefined : (read.may(oneOf(GATINGS), "gating", GATING_TODO) ?? undefined),
    background: work?.background ?? undefined,
    scheduled_action: work?.scheduledAction ?? undefined,
  });
  // The real system looks at the whole only behind every other check.
  if (!isReal) wholeFaults(read, intent);
  if (!isReal) read.refuseOthers(`${NO_LOOSE_FILES} ${WHOLE}`, FIELDS);
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
  const entry = read.may(TEXT, "script_entry", '"script_entry": "main.py"');
  const fault = entry === null ? null : relativePathFault(entry);
  if (fault === null) return entry;
  read.refuse("script_entry", "a path within the artifact", '"script_entry": "main.py"', fault);
  return null;
}

function capabilitiesIn(read: FieldReader, by: IntentPolicy): readonly Capability[] {
  const given = read.raw("capabilities");
  if (given === null) return [];
  if (!Array.isArray(given)) {
    const todo = '"capabilities": [{"type": "NetworkAccess", "hosts": ["*"]}]';
    read.refuse("capabilities", "a list", todo);
    return [];
  }
  return given.flatMap((one: Json, index) => {
    const decoded = decodedCapability(one, `capabilities[${index}]`, by);
    if ("capability" in decoded) return [decoded.capability];
    read.faults.push(...decoded.faults);
    return [];
  });
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
export function intentError([first]: Faults, by: IntentPolicy): string {
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

/* What may name an agent, and so its folder. Source: seed 003, parameters; rulings I2. */

export const agentIdLeaves = {
  agentId: choice("hyphens", ["hyphens", "loose"], {
    says: "What an agent_id may be: lowercase with hyphens, or also upper case, dots and underscores.",
    source: "seed 003, parameters; RULINGS I2; loose in the real system",
  }),
};

/** As long as a name of a skill; the real system has no bound. */
const CHARS_MAX = 64;

/** What keeps an id from being an agent's, in the real system's words where it has some; null for nothing. */
export function agentIdFault(id: string, by: ValuesOf<typeof agentIdLeaves>): string | null {
  if (id.trim() === "") return "agent_id must not be empty";
  if (id.startsWith(".") || id.endsWith(".") || id.includes("..")) {
    return "agent_id must not start or end with '.', or contain '..'";
  }
  if (!/^[A-Za-z0-9._-]+$/.test(id)) {
    return "agent_id may only contain ASCII letters, digits, '.', '-' and '_'";
  }
  if (by.agentId === "loose") return null;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id)) return "agent_id must be lowercase with hyphens";
  return id.length > CHARS_MAX ? `agent_id must have at most ${CHARS_MAX} characters` : null;
}

/* Which paths stay within an agent's folder. Source: dossier 1.7. */

/** What a script agent without one is told, here and in the real system. */
export const NO_ENTRY = "script_entry is required when execution_mode is script";

/** What is wrong with a path; null for nothing. Backslashes and spaces pass. */
export function relativePathFault(path: string): string | null {
  if (path.trim() === "") return "path must not be empty";
  // A leading slash is an empty first part.
  return path.split("/").some((part) => part === "" || part === "." || part === "..")
    ? "path must stay within the agent directory"
    : null;
}

/* Which model an agent thinks with. Source: seed 003; dossier 1.1. */

/** JSON, so no interface. */
type LlmConfig = {
  readonly provider: string;
  readonly model: string;
  readonly temperature: number;
  readonly fallback_provider?: string;
  readonly fallback_model?: string;
  readonly chat_only: boolean;
  readonly context_window_tokens?: number;
};

const LLM_SHAPE =
  '"llm_config": {"provider": "openrouter", "model": "google/gemini-3-flash-preview", "temperature": 0.2}';

const llmIn = (read: FieldReader, ignoresOthers: boolean): LlmConfig | null =>
  read.inner("llm_config", `Correct format: ${LLM_SHAPE}`, (llm) => {
    const config = defined<LlmConfig>({
      provider: llm.must(TEXT, "provider"),
      model: llm.must(TEXT, "model"),
      temperature: llm.may(numberFrom(0, 2), "temperature") ?? 0,
      fallback_provider: llm.may(TEXT, "fallback_provider") ?? undefined,
      fallback_model: llm.may(TEXT, "fallback_model") ?? undefined,
      chat_only: llm.may(FLAG, "chat_only") ?? false,
      context_window_tokens:
        llm.may(numberFrom(1, Number.MAX_SAFE_INTEGER, true), "context_window_tokens") ?? undefined,
    });
    if (!ignoresOthers) llm.refuseOthers();
    return config;
  });

/* What the real system's agent.install takes of work in the background; the seed has a capability for it. Source: dossier 1.1. */

/** JSON, so no interface. */
type Background = {
  readonly enabled: boolean;
  readonly interval_secs: number;
};

type ScheduledActionKind = "sandbox_exec" | "write_file";

const NEITHER =
  "scheduled_action must include either a tagged 'type', a 'command' or 'script' field, a supported 'tool_use' wrapper, or both 'path' and 'content' fields";

/** An error where the action is none. */
export function backgroundWork(background: Json, action: Json) {
  const hint = isMap(action)
    ? (intervalSecs(action["interval_secs"] ?? null) ?? intervalSecs(action["cadence"] ?? null))
    : null;
  const told = isMap(background)
    ? {
        enabled: background["enabled"] === true,
        interval_secs: intervalSecs(background["interval_secs"] ?? null) ?? 0,
      }
    : null;
  // An interval in the action turns the work on, and gives what the background leaves open.
  const merged =
    hint === null ? told : { enabled: true, interval_secs: told?.interval_secs || hint };
  const kind = action === null ? null : actionKind(action);
  const error = action !== null && kind === null ? NEITHER : null;
  return { background: merged, scheduledAction: kind, error };
}

/** What is wrong with them together, be the work turned on or not; null for nothing. */
export function workFault(
  background: Background | undefined,
  action: ScheduledActionKind | undefined,
): string | null {
  if (action !== undefined && background?.enabled !== true) {
    return "scheduled_action requires background.enabled = true";
  }
  return background?.interval_secs === 0 ? "background.interval_secs must be > 0" : null;
}

/** As a tagged action, as a call of a tool, or by the fields that it has. */
function actionKind(action: Json): ScheduledActionKind | null {
  if (!isMap(action)) return null;
  const tagged = action["type"];
  if (tagged === "sandbox_exec" || tagged === "write_file") return tagged;
  const use = action["tool_use"];
  if (isMap(use)) return toolKind(use["name"], use["arguments"] ?? null);
  return fieldsKind(action, ["command", "script"]);
}

function toolKind(name: Json | undefined, given: Json): ScheduledActionKind | null {
  if (!isMap(given)) return null;
  const kind = fieldsKind(given, ["command", "cmd", "script"]);
  if (name === undefined || name === null) return kind;
  const names =
    kind === "sandbox_exec" ? ["sandbox.exec", "sandbox_exec"] : ["memory.write", "memory_write"];
  return names.some((one) => one === name) ? kind : null;
}

function fieldsKind(
  fields: { readonly [name: string]: Json },
  commands: readonly string[],
): ScheduledActionKind | null {
  const isText = (name: string) => typeof fields[name] === "string";
  if (commands.some(isText)) return "sandbox_exec";
  return isText("path") && isText("content") ? "write_file" : null;
}

/* How long an interval is that was said in words. Source: dossier 1.7. */

/** The first that ends the text counts: so `minutes` and `hours` end in `s`, and say nothing. */
const UNITS: readonly (readonly [ending: string, seconds: number])[] = [
  ...(["seconds", "second", "secs", "sec", "s"] as const).map((unit) => [unit, 1] as const),
  ...(["minutes", "minute", "mins", "min", "m"] as const).map((unit) => [unit, 60] as const),
  ...(["hours", "hour", "hrs", "hr", "h"] as const).map((unit) => [unit, 3_600] as const),
];

/** Seconds, more than none; null where the words say no such thing. */
export function intervalSecs(value: Json): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? value : null;
  if (typeof value !== "string") return null;
  const text = value.trim().toLowerCase();
  const [ending, seconds] = UNITS.find(([unit]) => text.endsWith(unit)) ?? ["", 1];
  const digits = text.slice(0, text.length - ending.length).trim();
  if (!/^\+?\d+$/.test(digits)) return null;
  const secs = Number(digits) * seconds;
  return Number.isSafeInteger(secs) && secs > 0 ? secs : null;
}
