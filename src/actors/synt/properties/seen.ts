/**
 * What properties of synt know of a world, followed through the event log alone: requests with the
 * states of their statecharts and the lines of their audit, turns, the pool, and the money.
 */

import { startOf } from "../../../contract/startOf.ts";
import type { Json, Mail, MailOf } from "../../../machines/letter.ts";
import {
  type Artefact,
  AUDIT_FOLDER,
  isChain,
  POOL,
  type SynthRequest,
} from "../../../machines/synt/contract.ts";
import type { PoolState } from "../../../machines/synt/pool/poolState.ts";
import type { TierConfig } from "../../../machines/synt/stages/stageTiers.ts";
import { withChanges } from "../../../substrate/changes.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import { proposalsIn } from "../dossiers.ts";
import { SyntBooks } from "./books.ts";

declare module "../../../contract/property.ts" {
  interface SeenParts {
    readonly synt: SyntSeen;
  }
}

/** A line of the audit as it stands in its file; Json where it is one. */
export interface AuditLine {
  readonly text: string;
  readonly path: string;
  readonly atMs: number;
  readonly fields: { readonly [field: string]: Json };
}

/** What the pool showed a request. */
export type Shown = Mail["pool.answered"];

export interface RequestSeen {
  readonly id: string;
  readonly mode: SynthRequest["mode"];
  readonly intent: string;
  readonly proto: string | null;
  readonly openedMs: number;
  /** What its statechart was started with; undefined for one that the desk refused. */
  readonly input: SynthRequest | undefined;
  /** Its own hard cap in cents, as its asker gave it; undefined for the policy's. */
  readonly capCents: number | undefined;
  /** The request that the person takes up again with it, and what that one had spent. */
  readonly revises: { readonly id: string; readonly spent: number } | undefined;
  /** The states that its statechart was in, each once in a row. */
  readonly states: string[];
  readonly lines: AuditLine[];
  shown: Shown | undefined;
  /** The last question about it to the person, by its number; and the word of approval behind it. */
  asked: number | undefined;
  /** What the person was shown: the name of the artefact. */
  askedName: string | undefined;
  approved: number | undefined;
  /** Whether a judge was asked about a chain. */
  isJudged: boolean;
  /** The key with which its artefact was signed. */
  signer: string | undefined;
}

export interface TurnSeen {
  readonly openedMs: number;
  isOpen: boolean;
  /** What the user was told so far. */
  readonly told: string[];
  /** The requests that ended for it. */
  readonly requests: string[];
}

export class SyntSeen {
  /** Virtual time 0 in ms since 1970; undefined in a world without synt. */
  startsAtMs: number | undefined;
  /** Whether the desk wrote down why it did not start. */
  isFaulty = false;
  readonly requests = new Map<string, RequestSeen>();
  readonly turns = new Map<string, TurnSeen>();
  readonly books = new SyntBooks();
  pool: PoolSeen = { executors: {}, mnests: [], memos: {} };
  /** The models that serve the tiers. */
  tiers: TierConfig = {};
  /** What was asked of the desk, by the number of the delivery. */
  readonly #wanted = new Map<number, Mail["synth.requested"]>();

  observe(delivery: SeenDelivery): void {
    const { event, to, dueMs, seq } = delivery;
    this.#started(delivery);
    if (this.startsAtMs === undefined) return;
    this.books.observe(delivery, this.startsAtMs + dueMs);
    this.#observePool(delivery);
    if (to === "synt") this.#observeDesk(delivery);
    if (to.startsWith("synt/")) this.#observeRequest(delivery);
    if (event.type === "files.append" && to === "files") this.#written(event, dueMs);
    if (event.type === "files.write" && event.path.startsWith(AUDIT_FOLDER)) {
      this.isFaulty ||= delivery.from === "synt";
    }
    if (event.type === "synth.ended") {
      this.turns.get(to.replace("gateway/", ""))?.requests.push(event.request);
    }
    if (event.type === "person.asked") this.#asked(event, seq);
  }

  get openTurns(): readonly string[] {
    return [...this.turns].flatMap(([turn, { isOpen }]) => (isOpen ? [turn] : []));
  }

  /** The request of an address such as `synt/req-0001` or one below it. */
  at(address: string): RequestSeen | undefined {
    return address.startsWith("synt/") ? this.requests.get(address.split("/")[1] ?? "") : undefined;
  }

  #started({ event, cause, dueMs, after }: SeenDelivery): void {
    const desk = startOf(event, "syntDesk");
    if (desk !== undefined) {
      this.startsAtMs = desk.startsAtMs;
      this.tiers = desk.tiers;
    }
    const request = startOf(event, "synthesisRequest");
    if (request === undefined) return;
    const { request: id, mode, proto, need, revision } = request;
    const old = revision?.request ?? null;
    this.#open({ id, mode, proto, intent: need.intent, input: request }, old, cause, dueMs);
    this.#entered(request.request, after);
  }

  #open(
    told: Pick<RequestSeen, "id" | "mode" | "intent" | "proto" | "input">,
    revised: string | null,
    cause: number | null,
    openedMs: number,
  ): void {
    const spent = this.books.requests.get(revised ?? "")?.spent ?? 0;
    this.requests.set(told.id, {
      ...{ ...told, openedMs, states: [], lines: [], shown: undefined },
      capCents: this.#wanted.get(cause ?? 0)?.budgetCents ?? undefined,
      revises: revised === null ? undefined : { id: revised, spent },
      ...{ asked: undefined, askedName: undefined, approved: undefined },
      ...{ isJudged: false, signer: undefined },
    });
  }

  #entered(id: string, after: Json): void {
    const request = this.requests.get(id);
    const state = typeof after === "string" ? after : Object.keys(after ?? {})[0];
    if (request === undefined || state === undefined) return;
    if (state === "composing" && (after as { composing?: unknown }).composing === "judging") {
      request.isJudged = true;
    }
    if (request.states.at(-1) !== state) request.states.push(state);
  }

  #observeDesk({ event, seq, dueMs, cause }: SeenDelivery): void {
    switch (event.type) {
      case "synth.requested":
        this.#wanted.set(seq, event);
        return;
      case "synth.stated": {
        const { request: id, revises, mode, intent, proto } = event;
        if (!this.requests.has(id)) {
          this.#open({ id, mode, intent, proto, input: undefined }, revises, cause, dueMs);
        }
        return;
      }
      case "turn.opened":
        this.turns.set(event.turn, {
          ...{ openedMs: dueMs, isOpen: true, told: [], requests: [] },
        });
        return;
      case "user.told":
        this.turns.get(event.turn)?.told.push(event.text);
        return;
      case "turn.closed": {
        const turn = this.turns.get(event.turn);
        if (turn !== undefined) turn.isOpen = false;
      }
    }
  }

  #observeRequest({ event, to, after, fate, seq }: SeenDelivery): void {
    const request = this.at(to);
    if (request === undefined || to !== `synt/${request.id}` || fate !== "handled") return;
    if (event.type === "pool.answered") request.shown = event;
    if (event.type === "sign.signed") request.signer = event.key;
    if (event.type === "person.decided" && event.decision === "approve") {
      if (request.asked !== undefined) request.approved = seq;
    } else if (event.type === "person.decided" || event.type === "synth.revised") {
      request.asked = undefined;
      request.approved = undefined;
    }
    this.#entered(request.id, after);
  }

  /** About one request, or at night about several. */
  #asked(event: MailOf<"person.asked">, seq: number): void {
    for (const { request: id, dossier } of proposalsIn(event)) {
      const request = this.requests.get(id);
      if (request === undefined) continue;
      request.asked = seq;
      request.askedName = nameOf(dossier.artefact);
      request.approved = undefined;
    }
  }

  #written({ path, text }: MailOf<"files.append">, atMs: number): void {
    if (!path.startsWith(`${AUDIT_FOLDER}/`)) return;
    const fields = fieldsOf(text);
    this.requests.get(String(fields["request_id"]))?.lines.push({ text, path, atMs, fields });
  }

  #observePool(delivery: SeenDelivery): void {
    const { to, event } = delivery;
    const isBorn = to === "kernel" && startOf(event, "pool") !== undefined;
    if (to !== POOL && !isBorn) return;
    const ours = delivery.changes.filter(({ path }) => POOL_SEEN.includes(path[0] ?? ""));
    if (ours.length > 0) this.pool = withChanges(this.pool, ours) as typeof this.pool;
  }
}

const POOL_SEEN: readonly string[] = ["executors", "mnests", "memos"];
type PoolSeen = Pick<PoolState, "executors" | "mnests" | "memos">;

/** Of an executor its name; a chain has none. */
const nameOf = (artefact: Artefact): string | undefined =>
  artefact === null || isChain(artefact) ? undefined : artefact.name;

/** The fields of a line; none when it is no JSON. */
function fieldsOf(text: string): AuditLine["fields"] {
  try {
    return JSON.parse(text) as AuditLine["fields"];
  } catch {
    return {};
  }
}
