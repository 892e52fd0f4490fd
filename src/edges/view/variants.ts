/**
 * The variants of a run that is looked at: which there are, and playing one of them, from the text of its scenario and the
 * parts that are here.
 */

import type { PolicyValue } from "../../contract/policyTree.ts";
import { isOverruled, type Variant } from "../../contract/scenario.ts";
import { RULES_VERSION } from "../../run/bundle.ts";
import { ownSettings } from "../../run/changedRun.ts";
import { figuresOf } from "../../run/compare.ts";
import { leftRecording } from "../../run/leftRecording.ts";
import type { ViewPlays, ViewVariants } from "../../viewer/viewData.ts";
import { mixed } from "../causes/baseRun.ts";
import { command } from "../command.ts";
import { badInput, hintFor, quoted } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";
import { toldParts } from "../report/toldParts.ts";
import { AS_IT_WAS, variantsOf } from "../report/variantsTable.ts";
import type { BothRuns } from "./beside.ts";
import type { Player, PlayOptions } from "./player.ts";
import type { RunOf, ServedRun } from "./servedRun.ts";

/** A variant that was played, and its bundle. */
interface Played {
  readonly folder: string;
  readonly name: string;
  readonly counterfactual: Parameters<typeof variantsOf>[1]["counterfactuals"][number];
}

/** Those of every run that is looked at. */
export class Variants {
  readonly #lists: PartLists;
  /** By the folder of the run. */
  readonly #played = new Map<string, readonly Played[]>();
  readonly #player: Player;

  constructor(lists: PartLists, player: Player) {
    this.#lists = lists;
    this.#player = player;
  }

  /** What its page says of them; null where its scenario has none. */
  of({ of }: ServedRun): ViewPlays | null {
    const { manifest, scenario } = of;
    const names = namesOf(of);
    if (names.length === 0) return null;
    const there = this.#playedOf(of);
    const own = ownSettings(of.parts, of);
    return {
      title: toldParts(this.#lists, of)[0]?.report.variants.title ?? "",
      all: names.map((name) => {
        const variant = scenario.variants[name];
        const { choices = [], events = [] } = variant?.without ?? {};
        const changes = [
          ...(manifest.variant === null ? [] : [`takes back what ${manifest.variant} changes`]),
          ...(variant === undefined ? [] : changesOf(variant, own)),
        ];
        return {
          ...{ name, why: variant?.why ?? "", beside: null },
          change: changes.length === 0 ? "" : `It ${changes.join("; ")}.`,
          isSetting: choices.length + events.length === 0,
          isThere: there.some((one) => one.name === name),
        };
      }),
      refusal: refusalOf(manifest),
    };
  }

  /** Of a page that holds these, in turn, and names the others. */
  onPage(run: ServedRun, names: readonly string[], pairs: readonly BothRuns[]): ViewPlays | null {
    const plays = this.of(run);
    if (plays === null) return null;
    const held = [...new Set(names)].flatMap((name, at) => {
      const one = plays.all.find((variant) => variant.name === name);
      return one === undefined ? [] : [{ ...one, beside: pairs[at]?.told ?? null }];
    });
    const others = plays.all.filter(({ name }) => !names.includes(name));
    const how = command`export ${run.of.folder} --html FILE --with ${others[0]?.name ?? ""}`;
    const refusal = plays.refusal || `To see what one comes to, put it on the page: ${how}`;
    return { ...plays, all: [...held, ...others], refusal };
  }

  /** The table of those that were played from here; the one that was left beside the run says more. */
  table({ of, head, whole }: ServedRun): ViewVariants | null {
    const counterfactuals = this.#playedOf(of).map((one) => one.counterfactual);
    if (head.variants !== null || counterfactuals.length === 0) return head.variants;
    const { scenario, observed } = whole().run;
    return variantsOf(this.#lists, { scenario, observed, counterfactuals }) ?? null;
  }

  /** Gives the folder of its bundle. Throws BadInput for what cannot be played. */
  async play({ of: run }: ServedRun, name: string, options: PlayOptions): Promise<string> {
    const { manifest } = run;
    checkPlayable(run, name);
    const there = this.#playedOf(run).find((one) => one.name === name);
    if (there !== undefined) return there.folder;
    const variant = name === AS_IT_WAS ? null : name;
    const { folder, observed } = await this.#player.play(
      {
        ...{ scenario: run.scenario, text: manifest.scenario.text, variant },
        ...{ seed: manifest.seed, untilMs: manifest.untilMs },
        set: ownSettings(run.parts, run),
      },
      options,
    );
    const { verdicts, meter } = observed;
    const isUnknown = leftRecording(this.#lists.parts, meter) !== null;
    const counterfactual = { variant, verdicts, figures: figuresOf(observed), isUnknown };
    const before = this.#playedOf(run);
    this.#played.set(run.folder, [...before, { folder, name, counterfactual }]);
    return folder;
  }

  #playedOf({ folder }: RunOf): readonly Played[] {
    return this.#played.get(folder) ?? [];
  }
}

/** Ours: changes of a kind that are named. */
const NAMED_MOST = 12;

/** What a variant changes, in the words of its scenario; `own` is what `--set` set for the run and for whatever stands beside it. */
function changesOf(
  { policy, events, faults = [], without }: Variant,
  own: { readonly [path: string]: PolicyValue },
): readonly string[] {
  const set = Object.entries(policy).map(([path, value]) => {
    const says = `${path} = ${valueText(value)}`;
    return isOverruled(own, path, value)
      ? `would set ${says}, but --set made it ${valueText(own[path])}`
      : `sets ${says}`;
  });
  return [
    set,
    events.map(({ id }) => `adds the event ${id}`),
    faults.map(({ id }) => `adds the fault ${id}`),
    [...without.choices, ...without.events].map((name) => `leaves out ${name}`),
  ].flatMap((some) => [
    ...some.slice(0, NAMED_MOST),
    ...(some.length > NAMED_MOST ? [`${some.length - NAMED_MOST} more of these`] : []),
  ]);
}

const valueText = (value: PolicyValue | undefined): string => [value].flat().join(", ") || "none";

/** All but its own; of a variant also the scenario as it was. */
function namesOf({ manifest, scenario }: RunOf): readonly string[] {
  const { variant } = manifest;
  const others = Object.keys(scenario.variants).filter((one) => one !== variant);
  return variant === null ? others : [AS_IT_WAS, ...others];
}

function refusalOf(manifest: RunOf["manifest"]): string {
  const found =
    manifest.rulesVersion === RULES_VERSION ? mixed(manifest) : "a run under other rules";
  return found === undefined
    ? ""
    : `Variants are played of scripted runs that ended, under the rules of this version; this is ${found}.`;
}

function checkPlayable(run: RunOf, name: string): void {
  const { manifest, folder } = run;
  const names = namesOf(run);
  const refusal = refusalOf(manifest);
  if (names.includes(name) && refusal === "") return;
  if (!names.includes(name)) {
    throw badInput(
      "variant",
      quoted(name),
      names.join(" | ") || "none: its scenario has no other",
      "Name one of them.",
      hintFor(name, names),
    );
  }
  throw badInput({ file: folder }, refusal, "a scripted run that ended", "Play its scenario anew.");
}
