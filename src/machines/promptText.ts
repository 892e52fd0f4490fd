/** The text of a question to a model: what a live one reads, and a recording's key. */

import { type View as AgentsView, renderPrompt } from "./agents/model/prompts.ts";
import type { Mail } from "./letter.ts";
import { renderSynt, type SyntView } from "./synt/stagePrompts.ts";

export const isSyntPurpose = (purpose: unknown): boolean => String(purpose).startsWith("synt.");

export const promptText = ({ purpose, view }: Mail["llm.asked"]): string =>
  isSyntPurpose(purpose) ? renderSynt(view as SyntView) : renderPrompt(view as AgentsView);
