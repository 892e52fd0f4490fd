/**
 * What properties of synt know of a world, followed through the event log alone: requests with the
 * states of their statecharts and the lines of their audit, turns, the pool, and the money.
 */
import type { Json } from "../machines/letter.ts";
import {
  AUDIT_FOLDER,
  POOL,
  type Stated,
  type SynthRequest,
  type Wanted,
} from "../machines/synt/contract.ts";
import type { PoolState } from "../machines/synt/poolState.ts";
import type { RequestEvent } from "../machines/synt/requestEvents.ts";
import type { DeskInput } from "../machines/synt/syntDesk.ts";
import type { TierConfig } from "../machines/synt/tiers.ts";
import { withChanges } from "../substrate/changes.ts";
import type { Delivery } from "../substrate/envelope.ts";
import { SyntBooks } from "./syntBooks.ts";

/** A line of the audit as it stands in its file; Json where it is one. */
export interface AuditLine {
  readonly text: string;
  readonly path: string;
  readonly atMs: number;
  readonly fields: { readonly [field: string]: Json };
}

/** What the pool showed a request. */
export type Shown = Extract<RequestEvent, { readonly type: "pool.answered" }>;

export interface RequestSeen {
  readonly id: string;
  readonly mode: SynthRequest["mode"];
  readonly intent: string;
  readonly proto: string | null;
  readonly openedMs: number;
  /** What its statechart was started with; undefined for one that the desk refused. */
  readonly input: SynthRequest | undefined;
  /** Its own hard cap in cents as whoever asked for it said; undefined for the policy's. */
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
  /** Who serves the tiers. */
  tiers: TierConfig = {};
  /** What was asked of the desk, by the number of the delivery. */
  readonly #wanted = new Map<number, Wanted>();

  observe(delivery: Delivery): void {
    const { event, to, dueMs, seq } = delivery;
    if (event.type === "actor.start") this.#started(delivery);
    if (this.startsAtMs === undefined) return;
    this.books.observe(delivery, this.startsAtMs + dueMs);
    this.#observePool(delivery);
    if (to === "synt") this.#observeDesk(delivery);
    if (to.startsWith("synt/")) this.#observeRequest(delivery);
    if (event.type === "files.append" && to === "files") this.#written(delivery);
    if (event.type === "files.write" && String(event["path"]).startsWith(AUDIT_FOLDER)) {
      this.isFaulty ||= delivery.from === "synt";
    }
    if (event.type === "synth.ended") {
      this.turns.get(to.replace("gateway/", ""))?.requests.push(String(event["request"]));
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

  #started({ event, cause, dueMs, after }: Delivery): void {
    const { machine, address, input } = event;
    if (machine === "syntDesk") {
      const { startsAtMs, tiers } = input as DeskInput;
      this.startsAtMs = startsAtMs;
      this.tiers = tiers;
    }
    if (machine !== "synthesisRequest" || String(address).split("/").length !== 2) return;
    const request = input as SynthRequest;
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

  #observeDesk({ event, seq, dueMs, cause }: Delivery): void {
    switch (event.type) {
      case "synth.requested":
        this.#wanted.set(seq, event as unknown as Wanted);
        return;
      case "synth.stated": {
        const { request: id, revises, mode, intent, proto } = event as unknown as Stated;
        if (!this.requests.has(id)) {
          this.#open({ id, mode, intent, proto, input: undefined }, revises, cause, dueMs);
        }
        return;
      }
      case "turn.opened":
        this.turns.set(String(event["turn"]), {
          ...{ openedMs: dueMs, isOpen: true, told: [], requests: [] },
        });
        return;
      case "user.told":
        this.turns.get(String(event["turn"]))?.told.push(String(event["text"]));
        return;
      case "turn.closed": {
        const turn = this.turns.get(String(event["turn"]));
        if (turn !== undefined) turn.isOpen = false;
      }
    }
  }

  #observeRequest({ event, to, after, fate, seq }: Delivery): void {
    const request = this.at(to);
    if (request === undefined || to !== `synt/${request.id}` || fate !== "handled") return;
    if (event.type === "pool.answered") request.shown = event as unknown as Shown;
    if (event.type === "sign.signed") request.signer = String(event["key"]);
    if (event.type === "person.decided" && event["decision"] === "approve") {
      if (request.asked !== undefined) request.approved = seq;
    } else if (event.type === "person.decided" || event.type === "synth.revised") {
      Object.assign(request, { asked: undefined, approved: undefined });
    }
    this.#entered(request.id, after);
  }

  /** About one request, or at night about several. */
  #asked(event: Delivery["event"], seq: number): void {
    const { proposals = [] } = (event["dossier"] ?? {}) as {
      readonly proposals?: readonly Asked[];
    };
    if (event["purpose"] === "soft-cap") return;
    for (const { request: id, dossier } of [event as unknown as Asked, ...proposals]) {
      const askedName = dossier?.artefact?.name;
      const request = this.requests.get(id);
      if (request !== undefined)
        Object.assign(request, { asked: seq, askedName, approved: undefined });
    }
  }

  #written({ event, dueMs }: Delivery): void {
    const path = String(event["path"]);
    if (!path.startsWith(`${AUDIT_FOLDER}/`)) return;
    const text = String(event["text"]);
    const fields = fieldsOf(text);
    this.requests
      .get(String(fields["request_id"]))
      ?.lines.push({ text, path, atMs: dueMs, fields });
  }

  #observePool({ to, event, changes }: Delivery): void {
    const isBorn = to === "kernel" && event["machine"] === "pool";
    if (to !== POOL && !isBorn) return;
    const ours = changes.filter(({ path }) => POOL_SEEN.includes(path[0] ?? ""));
    if (ours.length > 0) this.pool = withChanges(this.pool, ours) as typeof this.pool;
  }
}

const POOL_SEEN: readonly string[] = ["executors", "mnests", "memos"];
type PoolSeen = Pick<PoolState, "executors" | "mnests" | "memos">;

/** A question to the person, or one proposal of a night's. */
interface Asked {
  readonly request: string;
  readonly dossier?: { readonly artefact?: { readonly name?: string } | null };
}

/** The fields of a line; none when it is no JSON. */
function fieldsOf(text: string): AuditLine["fields"] {
  try {
    return JSON.parse(text) as AuditLine["fields"];
  } catch {
    return {};
  }
}
