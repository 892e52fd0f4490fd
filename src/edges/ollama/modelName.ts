/** `ollama:qwen3.5:9b`, and which tier it serves. */

import { type Tier, tiers } from "../../machines/livePolicy.ts";
import { BadInput, hintFor, quoted } from "../errors.ts";

/** What a run asks, by name. */
export interface ModelNames {
  readonly tiers: { readonly [tier in Tier]: string };
  readonly embed: string | null;
}

/** The name after `ollama:`. Throws BadInput for anything else. */
export function ollamaName(option: string, text: string): string {
  const [, name] = /^ollama:([A-Za-z0-9][A-Za-z0-9._:/-]{0,200})$/.exec(text) ?? [];
  if (name !== undefined) return name;
  throw new BadInput({
    where: { path: option },
    found: quoted(text),
    allowed: "ollama:NAME, such as ollama:qwen3.5:9b",
    ...hintFor(text, ["scripted"]),
    todo: "`ollama list` shows the models that are there.",
  });
}

/** `--model`, and `--tier fast=ollama:NAME` for those that differ. */
export function modelNames(options: {
  readonly model: string;
  readonly tier: readonly string[];
  readonly embed: string | undefined;
}): ModelNames {
  const model = ollamaName("--model", options.model);
  const given = options.tier.map((text): [Tier, string] => {
    const [tier = "", name = ""] = text.split(/=(.*)/s);
    if (isTier(tier)) return [tier, ollamaName("--tier", name)];
    throw new BadInput({
      where: { path: "--tier" },
      found: quoted(text),
      allowed: tiers.map((one) => `${one}=ollama:NAME`).join(" | "),
      ...hintFor(tier, tiers),
      todo: "`ghostlight policy live.tier` shows which tier serves which question.",
    });
  });
  return {
    tiers: { fast: model, middle: model, wise: model, ...Object.fromEntries(given) },
    embed: options.embed === undefined ? null : ollamaName("--embed", options.embed),
  };
}

const isTier = (name: string): name is Tier => (tiers as readonly string[]).includes(name);
