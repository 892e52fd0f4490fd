/** What the scripted model says to a prompt that an agent wrote: one of the answers that fit. */
import type { ToolChatView } from "../../machines/agents/engine/builtins.ts";
import type { Thinker } from "./repertoire.ts";

/** Ours: a model with nothing to say says so; an empty answer would make it look broken. */
const NOTHING = "I have nothing to add to that.";

export const chat: Thinker<ToolChatView> = (view, { chat: answers = [] }, draw, without) => {
  const prompt = String(view.prompt).toLowerCase();
  const fits = answers.filter(
    ({ id, match }) =>
      !without.has(`chat:${id}`) && (match === null || prompt.includes(match.toLowerCase())),
  );
  const drawn = fits.length === 0 ? undefined : fits[draw.weighted(fits.map((one) => one.weight))];
  return drawn === undefined
    ? { answer: NOTHING, choice: "chat:none" }
    : { answer: drawn.answer, choice: `chat:${drawn.id}` };
};
