/** What the log says of synt, counted. The meter takes a sample after every delivery that counts. */
import { type Gauge, type Metric, metricsIn, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import type { Mail } from "../../machines/letter.ts";
import {
  AUDIT_FOLDER,
  BOOT_ERROR_PATH,
  isChain,
  POOL,
  type ProposalState,
  type Weighed,
} from "../../machines/synt/contract.ts";
import { decimalOf } from "../../machines/synt/score/exactShare.ts";
import { MILLION } from "../../machines/units.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { sumOfCents } from "./exactCents.ts";
import type { ProposalLabel } from "./stage.ts";

const requests = metricsIn("requests");
const proposals = metricsIn("proposals");
const turns = metricsIn("turns");
const executors = metricsIn("executors");
const ms = metricsIn("ms");

/**
 * The states that a request may reach, each counted once for a request. One that is refused at once
 * reaches its last state like any other, and is counted under `synt.locked` besides.
 */
const REQUEST_METRICS: {
  readonly [S in ProposalState as `synt.${S}`]: Metric;
} = {
  "synt.composing": requests("Requests that looked for a chain."),
  "synt.composed": requests("Requests that found one."),
  "synt.delivered": requests("Requests served by what was there."),
  "synt.generating": requests("Requests that came to write code."),
  "synt.born": requests("Executors born of a generation."),
  "synt.abandoned": requests(
    "Requests given up, those that were refused at once too.",
    undefined,
    "more",
  ),
  "synt.proposed": requests("Introspective requests."),
  "synt.rejected": requests("Introspective requests that were turned down, refused ones too."),
  "synt.suspended": requests("Requests that a profile or silence suspended."),
  "synt.fused": requests("Merges."),
  "synt.generalised": requests("Generalisations."),
  "synt.specialised": requests("Specialisations."),
};

export const syntMetrics = {
  ...REQUEST_METRICS,
  "synt.locked": requests(
    "Of all requests, those refused at once: by a lock, or because synt did not start.",
  ),
  "synt.reward": metricsIn("R")("R of the last proposal that was scored."),
  "synt.passed": proposals("Proposals that were scored and reached the threshold."),
  "synt.belowGate": proposals("Proposals that were scored; below the threshold."),
  "synt.truePasses": proposals("Good ones, by the scenario's labels, that passed."),
  "synt.falsePasses": proposals("Bad ones, by the scenario's labels, that passed."),
  "synt.trueRefusals": proposals("Bad ones below the threshold."),
  "synt.falseRefusals": proposals("Good ones below the threshold."),
  "synt.cents": metricsIn("cents")("Settled costs of all requests.", undefined, "more"),
  "synt.exceeded": metricsIn("cents")("What calls cost above what was set aside for them."),
  "synt.runningCents": metricsIn("cents")(
    "What runs of executors cost; the day's money, too.",
    undefined,
    "more",
  ),
  "synt.nightLocks": metricsIn("locks")(
    "Times that a failure of the night locked what a person had a chain for, or asked for.",
  ),
  "synt.externalCalls": metricsIn("calls")("Calls of models elsewhere."),
  "synt.asked": metricsIn("questions")("Questions to the person at the gate."),
  "synt.executors": executors("Executors that planners are shown, now."),
  "synt.loaded": executors("Executors that can be called, now."),
  "synt.quarantined": executors("Executors in quarantine, now."),
  "synt.buildMs": ms("From asking to birth, of the last one born."),
  "synt.turnMs": ms("How long the last turn took."),
  "synt.answered": turns("User turns that were done.", undefined, "less"),
  "synt.declined": turns("User turns that ended without a result.", undefined, "more"),
  "synt.replayed": turns("User turns whose plan the fast path replayed."),
  "synt.unasked": turns("User turns that replayed a composed chain, and the person was not asked."),
  "synt.refusedPatterns": metricsIn("patterns")("Patterns that the nightly filters turned down."),
  "synt.collisions": metricsIn("names")("Chains whose name the pool has already."),
  "synt.auditLines": metricsIn("lines")("Lines of the audit."),
  "synt.bootFaults": metricsIn("faults")("Whether synt refused to start."),
} as const;

type SyntMetrics = typeof syntMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends SyntMetrics {}
}

type SyntMetric = keyof SyntMetrics;

const VERDICTS = {
  good: { passed: "synt.truePasses", refused: "synt.falseRefusals" },
  bad: { passed: "synt.falsePasses", refused: "synt.trueRefusals" },
} as const;

class SyntCounts {
  readonly kept = {
    values: new Map<SyntMetric, number>(),
    openedMs: new Map<string, number>(),
    reached: new Set<string>(),
    executors: new Map<string, Mail["executor.changed"]>(),
    /** The text of each request's last draft, code and all. */
    drafts: new Map<string, string>(),
  };
  readonly #labels: readonly ProposalLabel[];

  /**
   * `labels` are what a scenario knows of proposals and synt does not: which are good and which are bad. They are looked up while
   * a log is measured; no actor in the world knows them. Ours.
   */
  constructor(labels: readonly ProposalLabel[]) {
    this.#labels = labels;
  }

  /** The metrics that changed. */
  observe({ event, to, dueMs, from }: SeenDelivery): readonly SyntMetric[] {
    if (this.#labels.length > 0 && event.type === "draft.ended") {
      const { description = "", code = "" } = event.draft ?? {};
      this.kept.drafts.set(to, `${description}\n${code}`);
    }
    switch (event.type) {
      case "synth.stated":
        return this.#stated(event, dueMs);
      case "paid.ended":
        return this.#addCents("synt.cents", event.cost);
      case "money.exceeded":
        return this.#addCents("synt.exceeded", event.cost - event.setAside);
      case "night.locked":
        return this.#add("synt.nightLocks");
      case "money.ran":
        return this.#add("synt.runningCents", event.cents);
      case "money.answered":
        return event.outcome === "reserved" && event.isExternal
          ? this.#add("synt.externalCalls")
          : [];
      case "person.asked":
        return this.#add("synt.asked");
      case "executor.changed":
        return this.#changed(event);
      case "turn.closed":
        return [
          ...this.#set("synt.turnMs", event.ms),
          ...this.#add(event.ok ? "synt.answered" : "synt.declined"),
          ...(event.replayed ? this.#add("synt.replayed") : []),
        ];
      case "chain.replayed":
        return this.#add("synt.unasked");
      case "pattern.filtered":
        return this.#add("synt.refusedPatterns");
      case "name.collided":
        return this.#add("synt.collisions");
      case "files.append":
        return event.path.startsWith(AUDIT_FOLDER) ? this.#add("synt.auditLines") : [];
      case "files.write":
        return from !== POOL && to === "files" && event.path === BOOT_ERROR_PATH
          ? this.#add("synt.bootFaults")
          : [];
      default:
        return [];
    }
  }

  #stated({ request, state, weighed, locked }: Mail["synth.stated"], atMs: number) {
    const openedMs = this.kept.openedMs.get(request) ?? atMs;
    this.kept.openedMs.set(request, openedMs);
    const isNew = !this.kept.reached.has(`${request} ${state}`);
    this.kept.reached.add(`${request} ${state}`);
    return [
      ...(isNew ? this.#add(`synt.${state}`) : []),
      ...(locked ? this.#add("synt.locked") : []),
      ...weighed.flatMap((one) => this.#weighed(request, one)),
      ...(state === "born" ? this.#set("synt.buildMs", atMs - openedMs) : []),
    ];
  }

  #weighed(request: string, weighed: Weighed): readonly SyntMetric[] {
    const { passes, total } = weighed.scored.reward;
    const verdict = this.#verdictOn(request, weighed);
    return [
      ...this.#set("synt.reward", decimalOf(total)),
      ...this.#add(passes ? "synt.passed" : "synt.belowGate"),
      ...(verdict === null ? [] : this.#add(VERDICTS[verdict][passes ? "passed" : "refused"])),
    ];
  }

  /** The first label that fits; null for a proposal without one. */
  #verdictOn(request: string, { artefact }: Weighed): ProposalLabel["is"] | null {
    const text = isChain(artefact)
      ? artefact.join(" → ")
      : (this.kept.drafts.get(`synt/${request}`) ?? "");
    return this.#labels.find(({ match }) => text.includes(match))?.is ?? null;
  }

  #changed(event: Mail["executor.changed"]): readonly SyntMetric[] {
    this.kept.executors.set(event.name, event);
    const all = [...this.kept.executors.values()];
    return [
      ...this.#set("synt.executors", all.filter((one) => one.isVisible).length),
      ...this.#set("synt.loaded", all.filter((one) => one.isLoaded).length),
      ...this.#set("synt.quarantined", all.filter((one) => one.state === "quarantined").length),
    ];
  }

  #add(metric: SyntMetric, more = 1): readonly SyntMetric[] {
    return this.#set(metric, (this.kept.values.get(metric) ?? 0) + more);
  }

  #addCents(metric: "synt.cents" | "synt.exceeded", millionths: number): readonly SyntMetric[] {
    return this.#set(metric, sumOfCents([this.kept.values.get(metric) ?? 0, millionths / MILLION]));
  }

  #set(metric: SyntMetric, value: number): readonly SyntMetric[] {
    this.kept.values.set(metric, value);
    return [metric];
  }
}

export function meter({ synt }: Partial<Sections>, gauge: Gauge): Observer {
  const counts = new SyntCounts(synt?.labels ?? []);
  return {
    kept: counts.kept,
    observe: (delivery) => {
      for (const metric of counts.observe(delivery)) {
        gauge.set(metric, WORLD, delivery.dueMs, counts.kept.values.get(metric) ?? 0);
      }
    },
  };
}
