/** Which model an agent thinks with. Source: seed 003; dossier 1.1. */
import { defined } from "../defined.ts";
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { type Fault, shown } from "./fault.ts";
import { FieldReader } from "./fieldReader.ts";

/** JSON, so no interface. */
export type LlmConfig = {
  readonly provider: string;
  readonly model: string;
  readonly temperature: number;
  readonly fallback_provider?: string;
  readonly fallback_model?: string;
  readonly chat_only: boolean;
  readonly context_window_tokens?: number;
};

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
  const config = defined<LlmConfig>({
    provider: read.text("provider", { isRequired: true, todo }) ?? "",
    model: read.text("model", { isRequired: true, todo }) ?? "",
    temperature: read.number("temperature", { todo, min: 0, max: 2 }) ?? 0,
    fallback_provider: read.text("fallback_provider", { todo }) ?? undefined,
    fallback_model: read.text("fallback_model", { todo }) ?? undefined,
    chat_only: read.flag("chat_only", { todo }) ?? false,
    context_window_tokens:
      read.number("context_window_tokens", {
        ...{ todo, min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true },
      }) ?? undefined,
  });
  if (!ignoresOthers) read.refuseOthers(FIELDS, todo);
  return { config: read.faults.length > 0 ? null : config, faults: read.faults };
}
