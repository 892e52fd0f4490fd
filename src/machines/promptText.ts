/** The text of a question to a model: what a live one reads, and a recording's key. */

import { renderPrompt } from "./agents/model/prompts.ts";
import type { Mail } from "./letter.ts";
import type { View } from "./portMail.ts";
import { renderSynt, type SyntView } from "./synt/stagePrompts.ts";

export const isSyntPurpose = (purpose: unknown): boolean => String(purpose).startsWith("synt.");

const isSynt = (view: View): view is SyntView => isSyntPurpose(view.purpose);

export const promptText = ({ view }: Pick<Mail["llm.asked"], "view">): string =>
  isSynt(view) ? renderSynt(view) : renderPrompt(view);
