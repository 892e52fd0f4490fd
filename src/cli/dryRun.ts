/** `ghostlight run --dry-run`: what would be played, and what can be found before it is. */

import { besideOf, type Scenario } from "../contract/scenario.ts";
import { clock } from "../edges/duration.ts";
import { EXIT } from "../edges/exit.ts";
import type { ReadingLists } from "../edges/parts/partLists.ts";
import { foreseen as foreseenIn } from "../edges/scenario/foreseen.ts";
import { type ChosenWorld, prepare } from "../run/simulate.ts";
import { isLive } from "./live/liveModel.ts";
import type { RunFlags } from "./options.ts";
import { print, printJson } from "./output.ts";

interface Dry extends ChosenWorld {
  readonly file: string;
}

/** Findings are warnings: the run is possible, and may be meant to show just that. */
export function dryRun(
  lists: ReadingLists,
  { scenario, file, ...wanted }: Dry,
  flags: RunFlags,
): number {
  const { name, events, variants, expect, runsForMs } = scenario;
  const { variant, seed, set, untilMs } = wanted;
  const model = isLive(flags) ? (flags.model ?? "live") : "scripted";
  const findings = model === "scripted" ? findingsOf(lists, scenario, wanted, flags) : [];
  const counts: { readonly [what: string]: number } = Object.assign(
    {},
    ...lists.scenarioParts.map((part) => part.counts?.(scenario)),
  );
  const virtualMs = untilMs ?? runsForMs;
  const { policy } = prepare(lists.parts, scenario, { variant, set });
  const modelQuestions: { readonly [purpose: string]: number } = Object.assign(
    {},
    ...lists.scenarioParts.map((part) => part.asks?.(scenario, { policy, virtualMs })),
  );
  const asked = Object.entries(modelQuestions).map(([purpose, most]) => `${most} ${purpose}`);
  const facts = {
    scenario: name,
    file,
    valid: true,
    virtualMs,
    ...counts,
    events: events.length,
    expectations: expect.length,
    variants: Object.keys(variants),
    ...{ variant, model, seed, set, modelQuestions, findings },
  };
  if (flags.json) printJson(facts);
  else {
    const changed = Object.entries(set).map(([path, value]) => `${path}=${value}`);
    print(
      [
        `${file} is valid: ${clock(virtualMs)} of virtual time, ` +
          Object.entries(counts)
            .map(([what, count]) => `${count} ${what}, `)
            .join("") +
          `${events.length} events, ${expect.length} expectations, ` +
          `${Object.keys(variants).length} variants. Nothing was run.`,
        `Variant ${variant ?? "none"}, model ${model}, seed ${seed}; ` +
          (changed.length === 0 ? "no option changes the policy." : `set: ${changed.join(", ")}.`),
        ...(asked.length === 0
          ? []
          : [`Besides what agents ask, the model is asked at most: ${asked.join(", ")}.`]),
        ...(findings.length === 0 ? [] : ["To look at before a run:"]),
        ...findings.map((finding) => `- ${finding}`),
      ].join("\n"),
    );
  }
  return EXIT.ok;
}

/** Of what would be played: with `--compare` all variants. */
function findingsOf(
  lists: ReadingLists,
  scenario: Scenario,
  { variant, set }: Pick<Dry, "variant" | "set">,
  { compare }: RunFlags,
): readonly string[] {
  const foreseen = (other: string | null): readonly string[] =>
    foreseenIn(lists, scenario, { variant: other, set });
  const own = foreseen(variant);
  const others = compare ? besideOf(scenario, variant) : [];
  return [
    ...own,
    ...others.flatMap((other) =>
      foreseen(other)
        .filter((finding) => !own.includes(finding))
        .map(
          (finding) => `${other === null ? "without a variant" : `variant ${other}`}: ${finding}`,
        ),
    ),
  ];
}
