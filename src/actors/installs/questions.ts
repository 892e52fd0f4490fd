/** What can be asked of a log of installs, and how a chain of causes goes on through them. */
import { countOf } from "../../contract/countOf.ts";
import type { Questions, Trail } from "../../contract/part.ts";
import { TOOLS } from "../../machines/installs/warden/warden.ts";
import type { EventType, MailOf } from "../../machines/letter.ts";
import { onceFor } from "../../machines/onceFor.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import { gatewayWords } from "./words.ts";

const REVISION = "revision:";
const APPROVAL = "approval:";

const OF_REVISION = [
  ...(["revision.created", "revision.gated", "revision.approved", "revision.activated"] as const),
  ...(["revision.superseded", "revision.rolledBack", "revision.rejected", "gate.refused"] as const),
] as const satisfies readonly EventType[];
const OF_APPROVAL = [
  ...(["approval.requested", "approval.decided", "approval.expired", "approval.used"] as const),
] as const satisfies readonly EventType[];
const TROUBLE = [
  ...(["install.refused", "revision.rejected", "approval.expired", "reach.breached"] as const),
  "approval.decided",
] as const satisfies readonly EventType[];

/** `revision:rev-0badcafe`, `approval:apr-0badcafe`: what became of it last. */
function questionOf({ event, fate }: Delivery): string | undefined {
  if (fate !== "handled") return undefined;
  if ("revision" in event && OF_REVISION.some((type) => type === event.type)) {
    return REVISION + event.revision;
  }
  return "approval" in event && OF_APPROVAL.some((type) => type === event.type)
    ? APPROVAL + event.approval
    : undefined;
}

/** By question, the last delivery that answers it, in the order in which they were first told. */
function answers(deliveries: Log): ReadonlyMap<string, Delivery> {
  const found = new Map<string, Delivery>();
  for (const one of ofTypes(deliveries, ...OF_REVISION, ...OF_APPROVAL)) {
    const question = questionOf(one);
    if (question !== undefined) found.set(question, one);
  }
  return found;
}

function trouble(deliveries: Log): Delivery | undefined {
  for (const one of ofTypes(deliveries, ...TROUBLE)) if (isTrouble(one)) return one;
  return undefined;
}

const isTrouble = ({ event, fate }: Delivery): boolean =>
  fate === "handled" && (event.type !== "approval.decided" || !event.isApproved);

export const questions: Questions = {
  forms: ["revision:ID", "approval:ID"],
  none: ["no install was refused, rejected or left undecided"],
  of: questionOf,
  find: (deliveries, question) => answers(deliveries).get(question),
  all: (deliveries) => [...answers(deliveries).keys()],
  trouble,
};

/** Ours: what a sentence can name. */
const GOALS_MAX = 5;

interface RevisionPasts {
  /** By the number of a question for a goal: why there is an agent that asks it. */
  readonly rests: ReadonlyMap<number, number>;
  /** By revision, the goals that were given up over a tool that its agent wrote. */
  readonly costs: ReadonlyMap<string, readonly string[]>;
}

const TOLD = [
  ...(["revision.activated", "installed.spawned", "llm.asked", "host.message"] as const),
  ...(["call.reported", "call.finished", "goal.ended"] as const),
] as const satisfies readonly EventType[];

/** Why an installed agent lives, and by which revision. */
interface Life {
  readonly seq: number;
  readonly revision: string;
}

class Pasts implements RevisionPasts {
  readonly rests = new Map<number, number>();
  readonly costs = new Map<string, string[]>();
  readonly #lives = new Map<string, Life>();
  /** By tool, the revision whose agent wrote it last. */
  readonly #writers = new Map<string, string>();
  /** By number, calls of such tools of which nothing came. */
  readonly #lost = new Map<number, string>();
  readonly #told = new Set<number>();

  observe(delivery: Delivery): void {
    const { event, seq, fate } = delivery;
    if (isEvent(delivery, "llm.asked")) this.#asked(delivery);
    if (isEvent(delivery, "host.message")) this.#told.add(seq);
    if (fate !== "handled") return;
    switch (event.type) {
      case "revision.activated":
        this.#lives.set(event.agent, { seq, revision: event.revision });
        break;
      case "installed.spawned": {
        const life = this.#lives.get(event.agent);
        if (life !== undefined) this.#lives.set(event.child, { ...life, seq });
        break;
      }
      case "call.reported":
        this.#wrote(event);
        break;
      case "call.finished": {
        const revision = this.#writers.get(event.capability ?? "");
        const isLost = event.nothing || !event.ok;
        if (isLost && revision !== undefined) this.#lost.set(seq, revision);
        break;
      }
      case "goal.ended":
        if (event.status === "abandoned") this.#failed(delivery, `${event.agent}/${event.n}`);
    }
  }

  /** What somebody told it to do, it does whoever made it. */
  #asked({ event, from, seq, because = [] }: DeliveryOf<"llm.asked">): void {
    const life = this.#lives.get(nameIn(from));
    const isOwn = event.purpose === "goal.choose" && !because.some((one) => this.#told.has(one));
    if (life !== undefined && isOwn) this.rests.set(seq, life.seq);
  }

  #wrote({ agent, wrote }: MailOf<"call.reported">): void {
    const revision = this.#lives.get(agent)?.revision;
    for (const path of wrote.filter((one) => one.startsWith(TOOLS))) {
      const tool = path.slice(TOOLS.length).replace(/\.[^.]*$/, "");
      if (revision === undefined) this.#writers.delete(tool);
      else this.#writers.set(tool, revision);
    }
  }

  #failed({ because = [] }: Delivery, goal: string): void {
    for (const revision of new Set(because.flatMap((seq) => this.#lost.get(seq) ?? []))) {
      const known = this.costs.get(revision) ?? [];
      if (!known.includes(goal)) this.costs.set(revision, [...known, goal]);
    }
  }
}

/** Of an agent's address: `agent/toolsmith#1.2` is toolsmith's. */
const nameIn = (address: string): string => /^agent\/([^/#]+)/.exec(address)?.[1] ?? "";

const revisionPasts = onceFor((deliveries: Log): RevisionPasts => {
  const pasts = new Pasts();
  for (const one of ofTypes(deliveries, ...TOLD)) pasts.observe(one);
  return pasts;
});

/** What its agent cost others, as a sentence of its own; empty where it cost nothing. */
function costText(goals: readonly string[]): string {
  if (goals.length === 0) return "";
  const named = goals.slice(0, GOALS_MAX).map((goal) => `goal:${goal}`);
  const rest = goals.length - named.length;
  const all = rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(", ");
  return ` Tools of its agent cost ${countOf(goals.length, "goal")}: ${all}.`;
}

/** What became of a revision last says what its agent cost others, too. */
export function hindsight(deliveries: Log): ReadonlyMap<number, string> {
  const { costs } = revisionPasts(deliveries);
  const says = new Map<number, string>();
  if (costs.size === 0) return says;
  const last = answers(deliveries);
  for (const [revision, goals] of costs) {
    const delivery = last.get(REVISION + revision);
    const own = delivery && wordsOf(delivery);
    if (own) says.set(delivery.seq, own + costText(goals));
  }
  return says;
}

function wordsOf(delivery: Delivery): string | null {
  const { event } = delivery;
  return SENTENCES.get(event.type)?.(event, delivery, undefined) ?? null;
}

type AnySentence = (event: Delivery["event"], ...rest: [Delivery, undefined]) => string | null;

// The table pairs each type with its sentence; the compiler does not follow that through a lookup.
const SENTENCES = new Map(Object.entries(gatewayWords) as [string, AnySentence][]);

const isWrong = (one: Delivery): boolean | undefined =>
  one.event.type === "gate.refused" || TROUBLE.some((type) => type === one.event.type)
    ? isTrouble(one)
    : undefined;

export const trail: Trail = {
  // What an installed agent sets itself goes back to the revision that made it.
  rests: (deliveries) => revisionPasts(deliveries).rests,
  wrong: isWrong,
  telling: [
    ...(["install.refused", "gate.refused", "approval.decided", "promotion.recorded"] as const),
    ...(["revision.rolledBack", "revision.activated", "revision.created"] as const),
  ],
  // The gateway's facts end with the call itself, which came last.
  behind: ({ event }, facts) => {
    const call = facts.at(-1);
    if (call?.event.type !== "gateway.asked") return undefined;
    // What a person once approved explains neither a rollback nor a refusal.
    const isOfCall = call.event.tool === ROLLBACK ? ROLLED.has(event.type) : event.type === REFUSED;
    return isOfCall ? [call] : undefined;
  },
};

const ROLLBACK = "agent.revision.rollback";
const ROLLED: ReadonlySet<string> = new Set([
  ...["revision.rolledBack", "revision.activated", "revision.superseded", "install.refused"],
  "active.changed",
]);
const REFUSED = "install.refused";
