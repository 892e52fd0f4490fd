/** `ollama:qwen3.5:9b` or `openai:gpt-5-mini`, and which tier it serves. */

import { type Tier, tiers } from "../../machines/livePolicy.ts";
import { badInput, hintFor, quoted } from "../errors.ts";

/** Which protocol a server of models speaks. */
export type ServerKind = "ollama" | "openai";

/** What a run asks, by name. */
export interface ModelNames {
  /** All of a run are at one server. */
  readonly kind: ServerKind;
  readonly tiers: { readonly [tier in Tier]: string };
  readonly embed: string | null;
  /** What named the model, for errors; `--model` when absent. */
  readonly option?: string | undefined;
}

/** The option that names the model. */
export const optionOf = ({ option = "--model" }: Pick<ModelNames, "option">): string => option;

interface Named {
  readonly kind: ServerKind;
  readonly name: string;
}

/** Kind and name. Throws BadInput for anything else. */
function liveName(option: string, text: string): Named {
  const [, kind, name] =
    /^(ollama|openai):([A-Za-z0-9@~/.][A-Za-z0-9._:/@+~-]{0,200})$/.exec(text) ?? [];
  if (kind !== undefined && name !== undefined) return { kind: kind as ServerKind, name };
  throw badInput(
    option,
    quoted(text),
    "ollama:NAME or openai:NAME, such as ollama:qwen3.5:9b",
    "`ollama list` shows the models of an Ollama server; any other server says what it has when a name is wrong.",
    hintFor(text, ["scripted"]),
  );
}

/** `--model` or another `option`, `--tier fast=ollama:NAME` for those that differ, and `--embed`. Throws BadInput. */
export function modelNames(options: {
  readonly model: string;
  readonly option?: string;
  readonly tier: readonly string[];
  readonly embed: string | undefined;
}): ModelNames {
  const { kind, name: model } = liveName(optionOf(options), options.model);
  const ofKind = (option: string, text: string): string => {
    const named = liveName(option, text);
    if (named.kind === kind) return named.name;
    throw badInput(
      option,
      quoted(text),
      `a model of the same kind of server as --model, ${kind}:NAME`,
      "A run asks one server. Ollama speaks the other protocol, too: --model openai:NAME --host http://127.0.0.1:11434/v1.",
    );
  };
  const given = options.tier.map((text): [Tier, string] => {
    const [tier = "", name = ""] = text.split(/=(.*)/s);
    if (isTier(tier)) return [tier, ofKind("--tier", name)];
    throw badInput(
      "--tier",
      quoted(text),
      tiers.map((one) => `${one}=${kind}:NAME`).join(" | "),
      "`ghostlight policy live.tier` shows which tier serves which question.",
      hintFor(tier, tiers),
    );
  });
  return {
    kind,
    tiers: { fast: model, middle: model, wise: model, ...Object.fromEntries(given) },
    embed: options.embed === undefined ? null : ofKind("--embed", options.embed),
    option: options.option,
  };
}

const isTier = (name: string): name is Tier => (tiers as readonly string[]).includes(name);
