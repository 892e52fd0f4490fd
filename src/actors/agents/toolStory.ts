/**
 * What became of every synthesized tool of a run, from the event log alone: its calls, its syntheses,
 * and how it stands at the end. One name is one story, however often it was made and removed.
 */

import { ARCHIVE_FOLDER, TOOLS_FOLDER } from "../../machines/agents/engine/state.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";
import { finderIn, type Log } from "../../substrate/log.ts";
import { isGhost, type SeenTools, toolsAfter } from "./engineMirror.ts";

export interface ToolStory {
  readonly name: string;
  /** Calls routed to it, by what came of them; all together they are its calls. */
  readonly calls: ToolCalls;
  /** Syntheses of this name that a step rejected, by step. */
  readonly rejected: ReadonlyMap<number, Rejections>;
  /** Syntheses that ended with a tool, and those that the dedup guard answered. */
  readonly deployed: number;
  readonly deduplicated: number;
  readonly standing: ToolStanding;
  /** Why broken_tools.json lists it at the end; null when it does not. */
  readonly broken: string | null;
}

export interface ToolCalls {
  /** Came back with a result. */
  readonly worked: number;
  /** Came back with one, and left a file alone that they were to write. */
  readonly unwritten: number;
  readonly nothing: number;
  readonly failed: number;
  readonly locked: number;
  /** Without an answer that its caller heard: still open, or the caller had given up. */
  readonly unheard: number;
  /** Why the last of those that failed did. */
  readonly error: string | null;
}

export interface Rejections {
  readonly title: string;
  readonly count: number;
  /** Of the last one. */
  readonly detail: string;
}

export type ToolStanding =
  | { readonly kind: "working" | "ghost" | "never registered" }
  /** `how`: moved to the archive, or deleted; `who` did it: an agent, `the operator (ID)`, a step. */
  | {
      readonly kind: "gone";
      readonly how: "archived" | "removed";
      readonly who: string;
      readonly atMs: number;
    };

/** Every tool that was registered or synthesized, by name; builtins are none while their own code serves. */
export function toolStories(deliveries: Log<SeenDelivery>): ToolStory[] {
  const books = new ToolBooks(deliveries);
  for (const delivery of deliveries) books.observe(delivery);
  return books.stories();
}

interface Book {
  readonly calls: { -readonly [K in keyof ToolCalls]: ToolCalls[K] };
  readonly rejected: Map<number, Rejections>;
  deployed: number;
  deduplicated: number;
  gone: Extract<ToolStanding, { kind: "gone" }> | null;
}

class ToolBooks {
  #tools: SeenTools | null = null;
  readonly #books = new Map<string, Book>();
  readonly #bySeq: (seq: number) => SeenDelivery | undefined;
  /** The actor that took a spec away last, by tool. */
  readonly #removals = new Map<string, Book["gone"]>();
  #standing: readonly string[] = [];

  constructor(deliveries: Log<SeenDelivery>) {
    this.#bySeq = finderIn(deliveries);
  }

  observe(delivery: SeenDelivery): void {
    const { event, fate, dueMs } = delivery;
    if (isEvent(delivery, "folder.changed") && delivery.event.text === null) {
      this.#removed(delivery);
    }
    const tools = toolsAfter(this.#tools, delivery);
    if (tools !== this.#tools) {
      this.#tools = tools;
      this.#followRegistry(dueMs);
    }
    if (event.type === "synthesis.finished" && fate === "handled") this.#synthesized(event);
    if (event.type === "call.routed" && fate === "handled" && this.#isTool(event.capability)) {
      this.#book(event.capability).calls.unheard += 1;
    }
    if (event.type === "call.finished" && fate === "handled") this.#finished(event);
  }

  stories(): ToolStory[] {
    const broken = new Map((this.#tools?.broken ?? []).map(({ name, reason }) => [name, reason]));
    return [...this.#books]
      .map(([name, { gone, ...book }]) => ({
        name,
        ...book,
        standing: this.#standingOf(name, gone),
        broken: this.#standing.includes(name) ? (broken.get(name) ?? null) : null,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #standingOf(name: string, gone: Book["gone"]): ToolStanding {
    if (this.#standing.includes(name)) {
      return { kind: isGhost(this.#tools, name) ? "ghost" : "working" };
    }
    return gone ?? { kind: "never registered" };
  }

  /** A builtin is a tool while other code than its own serves its calls. */
  #isTool(name: string): boolean {
    const { entries = [], implementations = {} } = this.#tools ?? {};
    const entry = entries.find((one) => one.name === name);
    if (entry === undefined) return this.#books.has(name);
    const own = Object.hasOwn(implementations, name) ? implementations[name] : undefined;
    return (
      (!entry.builtin && entry.brought === undefined) || (own !== undefined && own.code !== "")
    );
  }

  #book(name: string): Book {
    const known = this.#books.get(name);
    if (known !== undefined) return known;
    const none = { worked: 0, unwritten: 0, nothing: 0, failed: 0, locked: 0, unheard: 0 };
    const book: Book = {
      calls: { ...none, error: null },
      rejected: new Map(),
      ...{ deployed: 0, deduplicated: 0, gone: null },
    };
    this.#books.set(name, book);
    return book;
  }

  #followRegistry(atMs: number): void {
    const { entries = [] } = this.#tools ?? {};
    const now = entries.map(({ name }) => name).filter((name) => this.#isTool(name));
    for (const name of this.#standing.filter((one) => !now.includes(one))) {
      const unknown = { kind: "gone", how: "removed", who: "unknown", atMs } as const;
      this.#book(name).gone = this.#removals.get(name) ?? unknown;
    }
    for (const name of now) this.#book(name).gone = null;
    this.#standing = now;
  }

  /** A file left the tools folder: by whose hand, and where to. */
  #removed({
    event: { path },
    cause,
    dueMs: atMs,
  }: DeliveryOf<"folder.changed", SeenDelivery>): void {
    // The pool watches a folder of its own.
    if (!path.startsWith(`${TOOLS_FOLDER}/`)) return;
    const name = path.slice(TOOLS_FOLDER.length + 1).replace(/\.(json|py)$/, "");
    const change = this.#bySeq(cause ?? -1);
    const to = change?.event.type === "files.move" ? change.event.to : "";
    const how = to.startsWith(`${ARCHIVE_FOLDER}/`) ? "archived" : "removed";
    // The code leaves after its spec: it is told once, of the spec.
    if (path.endsWith(".json") || !this.#removals.has(name)) {
      this.#removals.set(name, { kind: "gone", how, who: this.#whoseHand(change), atMs });
    }
  }

  #whoseHand(change: SeenDelivery | undefined): string {
    for (let at = change; at !== undefined; at = this.#bySeq(at.cause ?? -1)) {
      if (at.from.startsWith("synthesis/")) return SYNTHESIS;
      if (at.from.startsWith("outside/")) return `the operator (${at.from.slice(8)})`;
      if ("agent" in at.event && at.event.agent !== undefined) return at.event.agent;
    }
    return "unknown";
  }

  #finished(event: MailOf<"call.finished">): void {
    const { capability, ok, nothing, locked, unwritten, error } = event;
    if (capability === null || !this.#isTool(capability)) return;
    const { calls } = this.#book(capability);
    calls.unheard -= 1;
    if (locked) calls.locked += 1;
    else if (nothing) calls.nothing += 1;
    else if (!ok) {
      calls.failed += 1;
      calls.error = error ?? "no reason given";
    } else if (unwritten === undefined) calls.worked += 1;
    else calls.unwritten += 1;
  }

  #synthesized(event: MailOf<"synthesis.finished">): void {
    const book = this.#book(event.capability);
    const { verdict } = event;
    if (verdict === "already_deployed") book.deduplicated += 1;
    else if (verdict !== "rejected") book.deployed += 1;
    else {
      const failed = event.steps.find(({ outcome }) => outcome === "failed");
      const { step = 0, title = "", detail = "no reason given" } = failed ?? {};
      const count = (book.rejected.get(step)?.count ?? 0) + 1;
      book.rejected.set(step, { title, count, detail });
    }
  }
}

/** What removes the tools that the nine steps refuse. */
export const SYNTHESIS = "the nine steps";
