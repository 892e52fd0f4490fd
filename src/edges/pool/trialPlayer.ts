/** Plays the trials of a search for causes, each in a few tenths of a second: bare, and from a common stem where it leaves one. */

import { builtIn } from "../../builtIn/lists.ts";
import { metricTable } from "../../contract/metricTable.ts";
import { policyWith } from "../../contract/policyTree.ts";
import type { WorldProperty } from "../../contract/property.ts";
import { type Scenario, variantOf } from "../../contract/scenario.ts";
import { changed } from "../../run/causes/changes.ts";
import { costsOf } from "../../run/causes/costs.ts";
import {
  certainMs,
  countedBy,
  type Effect,
  isSealed,
  isUnknown,
  occurs,
  type Seen,
} from "../../run/causes/effect.ts";
import { type Ran, suspectsOf } from "../../run/causes/suspects.ts";
import type { Trial, Tried } from "../../run/causes/trial.ts";
import { propertiesOf } from "../../run/check/catalogue.ts";
import { watchman } from "../../run/check/onlooker.ts";
import { meterOf } from "../../run/compare.ts";
import {
  type ChosenWorld,
  type Run,
  type SimulateOptions,
  startFrom,
  startRun,
} from "../../run/simulate.ts";
import type { Checkpoint } from "../../substrate/checkpoint.ts";
import type { Delivery, SeenDelivery } from "../../substrate/envelope.ts";
import type { Input } from "../../substrate/port.ts";
import { joinedParts } from "../parts/joinedParts.ts";
import { ownParts } from "../parts/ownParts.ts";
import { playRun } from "../play/playRun.ts";
import { type WorldPorts, worldPorts } from "../play/worldPorts.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import { parseScenario } from "../scenario/scenarioFile.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import type { StudyHost } from "../studies/runKey.ts";
import { type CheckedLists, checkedLists } from "./checkWorlds.ts";

/** What all trials of a search share. Its seed is that of the stem which trials leave. */
interface Shared extends Pick<ChosenWorld, "variant" | "set" | "untilMs" | "seed"> {
  readonly effect: Effect;
}

/** The same with the world itself, as plain data: threads and other machines are given it. */
export interface TrialWorld extends Shared {
  readonly scenario: { readonly name: string; readonly text: string };
}

/** With how a machine plays them. */
export type TrialWork = TrialWorld & Omit<StudyHost, "interpreter">;

/** Deliveries between two looks at whether the effect is certain, and of a whole trial none. */
const SLICE = 500;
const WHOLE = 100_000;

export async function trialPlayer(
  work: TrialWork,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<(trial: Trial) => Promise<Tried>> {
  const lists = await checkedLists(joinedParts(builtIn, await ownParts(work.partFiles)));
  const { name, text } = work.scenario;
  const scenario = parseScenario(lists, text, `${name}.yaml`);
  const player = new TrialPlayer(lists, scenario, work, { sandbox, shell });
  return (trial) => player.play(trial);
}

interface StemHow extends Pick<Trial, "isWhole"> {
  readonly isLogged: boolean;
}

/** A run up to where trials leave it. */
interface Stem {
  readonly saved: Checkpoint;
  /** What a trial has to see before it goes on. */
  readonly seen: readonly SeenDelivery[];
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
}

type Host = { readonly sandbox: LazySandbox; readonly shell: LazyShell };

export class TrialPlayer {
  readonly #lists: CheckedLists;
  readonly #scenario: Scenario;
  readonly #work: Shared;
  readonly #host: Host;
  /** The last one: trials are asked stem by stem. */
  #stem: ({ readonly from: number; readonly stem: Stem } & StemHow) | undefined;

  constructor(lists: CheckedLists, scenario: Scenario, work: Shared, host: Host) {
    this.#lists = lists;
    this.#scenario = scenario;
    this.#work = work;
    this.#host = host;
  }

  async play({ seed, changes, isWhole, from, isTelling = false }: Trial): Promise<Tried> {
    const { parts } = this.#lists;
    const { effect, set } = this.#work;
    const isLogged = isTelling || effect.kind === "asked";
    const stem = from === undefined ? undefined : await this.#stemAt(from, { isLogged, isWhole });
    // On the way only what differs is set: the rest is in force already.
    const { scenario, options } = changed(this.#scenario, stem ? {} : set, changes);
    const watch = this.#watch(scenario, isLogged, isWhole);
    const world = this.#ports({ ...set, ...options.set }, seed);
    const given = { ...this.#options(isWhole, isLogged), ...watch.options, ports: world.ports };
    const { without } = options;
    try {
      let run: Run;
      if (stem === undefined) run = startRun(parts, scenario, { ...given, ...options, seed });
      else {
        for (const one of stem.seen) watch.observe(one);
        watch.deliveries.push(...stem.deliveries);
        watch.inputs.push(...stem.inputs);
        const turn = { set: options.set ?? {}, drop: without?.events ?? [], reseed: seed };
        const rest = {
          ...given,
          set,
          seed: this.#work.seed,
          without: { choices: without?.choices ?? [] },
          faults: options.faults ?? [],
        };
        run = startFrom(parts, scenario, rest, stem.saved, turn);
      }
      watch.begin(run.policy);
      const isCertain = (): boolean => isSealed(parts, effect, watch.seen(run.kernel.nowMs));
      const { outcome, virtualMs } = await playRun(run, {
        inbox: world.inbox,
        slice: isWhole ? WHOLE : SLICE,
        ...(!isWhole && { onSlice: isCertain }),
      });
      const seen = watch.seen(virtualMs);
      const isCut = outcome === "interrupted" && isSealed(parts, effect, seen);
      const occurred = isCut || occurs(parts, effect, seen);
      return {
        occurred,
        outcome: isCut ? "ended" : outcome,
        ...(isUnknown(parts, effect, watch.meter) && { isUnknown: true }),
        costs: isWhole ? costsOf(parts, watch.meter) : {},
        ...(isTelling &&
          occurred && { suspects: this.#suspects({ ...watch, scenario }, virtualMs) }),
      };
    } finally {
      world.close();
    }
  }

  #suspects({ scenario, deliveries, inputs, meter }: Ran & Pick<Seen, "meter">, endMs: number) {
    const { effect } = this.#work;
    const untilMs = certainMs(this.#lists.parts, effect, meter, endMs);
    const ran = { scenario, deliveries, inputs };
    return suspectsOf(this.#lists.parts, ran, effect, untilMs).suspects;
  }

  /** The run as it was, kept at its delivery number `from`. */
  async #stemAt(from: number, how: StemHow): Promise<Stem> {
    const { set, seed } = this.#work;
    const { isLogged, isWhole } = how;
    const { parts } = this.#lists;
    const kept = this.#stem;
    if (kept?.from === from && kept.isLogged === isLogged && kept.isWhole === isWhole) {
      return kept.stem;
    }
    const metric = this.#only(isWhole);
    const counts = metric && metricTable(parts)[metric].counts;
    const isTelling = ({ event }: SeenDelivery): boolean =>
      !counts || Object.hasOwn(counts, event.type);
    const [seen, deliveries, inputs]: [SeenDelivery[], Delivery[], Input[]] = [[], [], []];
    let saved: Checkpoint | undefined;
    const world = this.#ports(set, seed);
    const run = startRun(parts, this.#scenario, {
      ...this.#options(true, isLogged),
      ...{ set, seed, ports: world.ports },
      onSeen: (one) => saved === undefined && isTelling(one) && seen.push(one),
      ...(isLogged && {
        onDelivery: (one: Delivery) => saved === undefined && deliveries.push(one),
        onInput: (one: Input) => saved === undefined && inputs.push(one),
      }),
      turns: [{ at: from, set: {}, drop: [] }],
      onTurn: (_, kernel) => {
        saved = kernel.checkpoint();
      },
    });
    try {
      await playRun(run, { inbox: world.inbox, slice: SLICE, onSlice: () => saved !== undefined });
    } finally {
      world.close();
    }
    // A run that is over before is gone on from its end.
    const stem = { saved: saved ?? run.kernel.checkpoint(), seen, deliveries, inputs };
    this.#stem = { from, stem, ...how };
    return stem;
  }

  #options(isWhole: boolean, isLogged: boolean): SimulateOptions {
    const { variant, untilMs, effect } = this.#work;
    const atMs = effect.kind === "measured" ? effect.expectation.at : "end";
    const ends = [untilMs, isWhole || typeof atMs === "string" ? null : atMs];
    const first = Math.min(...ends.map((ms) => ms ?? Number.MAX_SAFE_INTEGER));
    return {
      variant,
      level: isLogged ? "full" : "bare",
      ...(first < Number.MAX_SAFE_INTEGER && { untilMs: first }),
    };
  }

  #ports(set: Shared["set"], seed: number): WorldPorts {
    const { policy: own, startsAt } = variantOf(this.#scenario, this.#work.variant);
    const policy = policyWith(this.#lists.parts, { ...own, ...set });
    return worldPorts(this.#lists, { ...this.#host, policy, seed, startsAt });
  }

  /** The one count that is measured; all where stand-ins may leave their recording. */
  #only(isWhole: boolean) {
    const isRecorded = this.#scenario.model?.recorded !== undefined;
    return isWhole || isRecorded ? undefined : countedBy(this.#lists.parts, this.#work.effect);
  }

  /** What is seen of one run. */
  #watch(scenario: Scenario, isLogged: boolean, isWhole: boolean) {
    const { effect } = this.#work;
    const { parts, promised } = this.#lists;
    const meter = meterOf(parts, scenario, this.#only(isWhole));
    const properties = propertiesOf(promised).filter(
      (one): one is WorldProperty =>
        one.kind === "world" && effect.kind === "broken" && one.id === effect.property,
    );
    const watching = watchman(promised, properties);
    const deliveries: Delivery[] = [];
    const inputs: Input[] = [];
    const early: SeenDelivery[] = [];
    let hasBegun = false;
    const observe = (one: SeenDelivery): void => {
      meter.observe(one);
      if (properties.length === 0) return;
      if (hasBegun) watching.observe(one);
      else early.push(one);
    };
    const options: SimulateOptions = {
      onSeen: observe,
      ...(isLogged && {
        onDelivery: (one: Delivery) => deliveries.push(one),
        onInput: (one: Input) => inputs.push(one),
      }),
    };
    return {
      meter,
      deliveries,
      inputs,
      observe,
      options,
      begin: (policy: Run["policy"]): void => {
        watching.begin(policy);
        hasBegun = true;
        for (const one of early) watching.observe(one);
      },
      seen: (atMs: number): Seen => ({ meter, atMs, deliveries, broken: watching.said() }),
    };
  }
}
