/** Plays the trials of a search for causes: bare, from a common stem where it leaves one, and what they have in common once. */

import { builtIn } from "../../builtIn/lists.ts";
import { metricTable } from "../../contract/metricTable.ts";
import { policyWith } from "../../contract/policyTree.ts";
import type { WorldProperty } from "../../contract/property.ts";
import { type Scenario, variantOf } from "../../contract/scenario.ts";
import { groupedBy } from "../../machines/grouped.ts";
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
import { type ChosenWorld, type SimulateOptions, startFrom, startRun } from "../../run/simulate.ts";
import { Listening } from "../../run/stem.ts";
import type { Checkpoint } from "../../substrate/checkpoint.ts";
import type { Delivery, SeenDelivery } from "../../substrate/envelope.ts";
import type { Input } from "../../substrate/port.ts";
import { joinedParts } from "../parts/joinedParts.ts";
import { ownParts } from "../parts/ownParts.ts";
import { FAMILY_MAX, type FamilyPlayer, playedFamily, type Sight } from "../play/family.ts";
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

/** Trials that differ in leaves of the policy alone. */
export type TrialFamily = readonly [Trial, ...Trial[]];

export type PlayFamily = (family: TrialFamily) => Promise<readonly Tried[]>;

export async function trialPlayer(
  work: TrialWork,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<PlayFamily> {
  const lists = await checkedLists(joinedParts(builtIn, await ownParts(work.partFiles)));
  const { name, text } = work.scenario;
  const scenario = parseScenario(lists, text, `${name}.yaml`);
  const player = new TrialPlayer(lists, scenario, work, { sandbox, shell });
  return (family) => player.play(family);
}

/** Plays them all, in their order, each player a family at a time; none where it was ended on the way. */
export async function playTrials(
  trials: readonly Trial[],
  players: readonly PlayFamily[],
  isEnded: () => boolean = () => false,
  onDone: (done: number) => void = () => {},
): Promise<readonly Tried[]> {
  const results = new Map<Trial, Tried>();
  const families = trialFamilies(trials, Math.ceil(trials.length / players.length)).values();
  const lane = async (play: PlayFamily): Promise<void> => {
    for (const family of families) {
      if (isEnded()) return;
      const tried = await play(family);
      for (const [place, trial] of family.entries()) {
        const one = tried[place];
        if (one !== undefined) results.set(trial, one);
      }
      onDone(results.size);
    }
  };
  await Promise.all(players.map(lane));
  return isEnded() ? [] : trials.flatMap((trial) => results.get(trial) ?? []);
}

/** Those that are played together, at most so many. */
export function trialFamilies(trials: readonly Trial[], most: number): readonly TrialFamily[] {
  const size = Math.min(FAMILY_MAX, most);
  const groups = groupedBy(trials, ({ changes, ...rest }) =>
    JSON.stringify([rest, changes.filter(({ kind }) => kind !== "set")]),
  );
  return [...groups.values()].flatMap((all) =>
    all.flatMap((first, at) =>
      at % size === 0 ? [[first, ...all.slice(at + 1, at + size)] as const] : [],
    ),
  );
}

interface StemHow extends Pick<Trial, "isWhole"> {
  readonly isLogged: boolean;
}

interface SightHow extends StemHow {
  readonly scenario: Scenario;
  readonly isTelling: boolean;
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
  readonly #player: FamilyPlayer;
  /** The last one: trials are asked stem by stem. */
  #stem: ({ readonly from: number; readonly stem: Stem } & StemHow) | undefined;
  /** Of all trials so far. */
  readonly deliveries = { played: 0, spared: 0 };

  /** `isApart`: each trial is played by itself, to measure and to test what it spares that it is not. */
  constructor(
    lists: CheckedLists,
    scenario: Scenario,
    work: Shared,
    host: Host,
    { isApart = false }: { readonly isApart?: boolean } = {},
  ) {
    this.#lists = lists;
    this.#scenario = scenario;
    this.#work = work;
    const { own = [], parts } = lists;
    this.#player = {
      ...{ ...host, lists, listening: new Listening(parts) },
      isApart: isApart || own.length > 0 || work.effect.kind === "broken",
    };
  }

  async play(family: TrialFamily): Promise<readonly Tried[]> {
    const [{ seed, changes, isWhole, from, isTelling = false }] = family;
    const { parts } = this.#lists;
    const { effect } = this.#work;
    const isLogged = isTelling || effect.kind === "asked";
    const stem = from === undefined ? undefined : await this.#stemAt(from, { isLogged, isWhole });
    const { scenario, options } = this.#changed(changes);
    const { set: _, ...others } = options;
    const drop = others.without?.events ?? [];
    const { facts, deliveries } = await playedFamily(
      this.#player,
      {
        ...{ scenario, slice: isWhole ? WHOLE : SLICE },
        options: { ...this.#options(isWhole, isLogged), ...others, seed },
        begin: (own) =>
          stem === undefined
            ? startRun(parts, scenario, own)
            : startFrom(parts, scenario, own, stem.saved, { set: {}, drop }),
        sight: (policy) => {
          const { promised } = this.#lists;
          const watching = watchman(promised, this.#properties());
          watching.begin(policy);
          const meter = meterOf(parts, scenario, this.#only(isWhole));
          const { seen = [], deliveries = [], inputs = [] } = stem ?? {};
          const own = { deliveries: [...deliveries], inputs: [...inputs] };
          const how = { scenario, isWhole, isLogged, isTelling };
          const sight = this.#sight(how, { meter, watching, ...own });
          for (const one of seen) sight.hears.onSeen?.(one);
          return sight;
        },
      },
      family.map((one) => ({ set: this.#changed(one.changes).options.set ?? {} })),
    );
    this.deliveries.played += deliveries.played;
    this.deliveries.spared += deliveries.spared;
    return facts;
  }

  #changed(changes: Trial["changes"]) {
    return changed(this.#scenario, this.#work.set, changes);
  }

  /** Where a promise is watched it is never copied: each trial is played by itself. */
  #sight(
    how: SightHow,
    of: Pick<Seen, "meter"> & {
      readonly watching: ReturnType<typeof watchman>;
      readonly deliveries: Delivery[];
      readonly inputs: Input[];
    },
  ): Sight<Tried> {
    const { parts } = this.#lists;
    const { effect } = this.#work;
    const { scenario, isWhole, isLogged, isTelling } = how;
    const { meter, watching, deliveries, inputs } = of;
    const seenAt = (atMs: number): Seen => ({ meter, atMs, deliveries, broken: watching.said() });
    return {
      hears: {
        onSeen: (one) => {
          meter.observe(one);
          if (!watching.isDone()) watching.observe(one);
        },
        ...(isLogged && {
          onDelivery: (one: Delivery) => deliveries.push(one),
          onInput: (one: Input) => inputs.push(one),
        }),
      },
      copy: () => {
        const own = { deliveries: [...deliveries], inputs: [...inputs] };
        return this.#sight(how, { meter: meter.copy(), watching, ...own });
      },
      isOver: ({ kernel }) =>
        !isWhole &&
        // Whenever Python answers, it is looked at the same moments.
        kernel.delivered % SLICE === 0 &&
        isSealed(parts, effect, seenAt(kernel.nowMs)),
      facts: ({ outcome, virtualMs }) => {
        const isCut = outcome === "interrupted";
        const occurred = isCut || occurs(parts, effect, seenAt(virtualMs));
        return {
          occurred,
          outcome: isCut ? "ended" : outcome,
          ...(isUnknown(parts, effect, meter) && { isUnknown: true }),
          costs: isWhole ? costsOf(parts, meter) : {},
          ...(isTelling &&
            occurred && {
              suspects: this.#suspects({ scenario, deliveries, inputs, meter }, virtualMs),
            }),
        };
      },
    };
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
    const world = this.#ports(this.#work);
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

  #ports({ set, seed }: Pick<Shared, "set" | "seed">): WorldPorts {
    const { lists, sandbox, shell } = this.#player;
    const { policy: own, startsAt } = variantOf(this.#scenario, this.#work.variant);
    const policy = policyWith(lists.parts, { ...own, ...set });
    return worldPorts(lists, { sandbox, shell, policy, seed, startsAt });
  }

  /** The one count that is measured; all where stand-ins may leave their recording. */
  #only(isWhole: boolean) {
    const isRecorded = this.#scenario.model?.recorded !== undefined;
    return isWhole || isRecorded ? undefined : countedBy(this.#lists.parts, this.#work.effect);
  }

  #properties(): readonly WorldProperty[] {
    const { effect } = this.#work;
    return propertiesOf(this.#lists.promised).filter(
      (one): one is WorldProperty =>
        one.kind === "world" && effect.kind === "broken" && one.id === effect.property,
    );
  }
}
