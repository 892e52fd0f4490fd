/** The text of a question to a model: what a live one reads, and a recording's key. */

import { renderPrompt } from "./agents/model/prompts.ts";
import type { MailEvent } from "./letter.ts";
import { renderSynt } from "./synt/stagePrompts.ts";

export const isSyntPurpose = (purpose: unknown): boolean => String(purpose).startsWith("synt.");

export const promptText = ({ purpose, view }: MailEvent & { readonly view?: unknown }): string =>
  isSyntPurpose(purpose) ? renderSynt(view as never) : renderPrompt(view as never);
