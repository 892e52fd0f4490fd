/** Which model an agent thinks with. Source: seed 003; dossier 1.1. */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { type Fault, shown } from "./fault.ts";
import { FieldReader } from "./fieldReader.ts";

export interface LlmConfig {
  readonly provider: string;
  readonly model: string;
  readonly temperature: number;
  readonly fallbackProvider: string | null;
  readonly fallbackModel: string | null;
  readonly chatOnly: boolean;
  readonly contextWindowTokens: number | null;
}

export const LLM_SHAPE =
  '"llm_config": {"provider": "openrouter", "model": "google/gemini-3-flash-preview", "temperature": 0.2}';

const FIELDS = [
  "provider",
  "model",
  "temperature",
  "fallback_provider",
  "fallback_model",
  "chat_only",
  "context_window_tokens",
];

export function decodedLlmConfig(
  value: Json,
  { ignoresOthers }: { readonly ignoresOthers: boolean },
): { readonly config: LlmConfig | null; readonly faults: readonly Fault[] } {
  const todo = `Correct format: ${LLM_SHAPE}`;
  if (!isMap(value)) {
    const fault = { field: "llm_config", found: shown(value), allowed: "an object", todo };
    return { config: null, faults: [fault] };
  }
  const read = new FieldReader(value, "llm_config");
  const config: LlmConfig = {
    provider: read.text("provider", { isRequired: true, todo }) ?? "",
    model: read.text("model", { isRequired: true, todo }) ?? "",
    temperature: read.number("temperature", { todo, min: 0, max: 2 }) ?? 0,
    fallbackProvider: read.text("fallback_provider", { todo }),
    fallbackModel: read.text("fallback_model", { todo }),
    chatOnly: read.flag("chat_only", { todo }) ?? false,
    contextWindowTokens: read.number("context_window_tokens", {
      ...{ todo, min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true },
    }),
  };
  if (!ignoresOthers) read.refuseOthers(FIELDS, todo);
  return { config: read.faults.length > 0 ? null : config, faults: read.faults };
}
