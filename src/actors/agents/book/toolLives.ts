/**
 * What became of every synthesized tool of a run: its calls, its syntheses, and how it stands. One name is one life,
 * however often it was made and removed. Builtins have none while their own code serves.
 */

import { ARCHIVE_FOLDER, TOOLS_FOLDER } from "../../../machines/agents/engine/state.ts";
import type { MailOf } from "../../../machines/letter.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import { finderIn, type Log } from "../../../substrate/log.ts";
import { isGhost, type SeenTools } from "../engineMirror.ts";
import type { AgentBook, ToolCalls, ToolGone, ToolLife, ToolLives } from "./facts.ts";

export const tools: AgentBook<"tools"> = {
  needs: ["registry", "calls", "syntheses"],
  reads: ["folder.changed"],
  start: () => ({ lives: [], removals: [] }),
  step({ lives, removals }, delivery, news, { registry }) {
    removed(removals, delivery);
    for (const one of news) {
      if (one.is === "registry") follow({ lives, removals }, one.tools, delivery.dueMs);
      if (one.is === "synthesized") synthesized(lifeOf(lives, one.event.capability), one.event);
      if (one.is !== "routed" && one.is !== "finished") continue;
      const { capability } = one.event;
      if (capability === null || !isTool(lives, registry.tools, capability)) continue;
      const { calls } = lifeOf(lives, capability);
      if (one.is === "routed") calls.unheard += 1;
      else finished(calls, one.event);
    }
  },
};

/** A builtin is a tool while other code than its own serves its calls. */
function isTool(lives: readonly ToolLife[], registry: SeenTools | null, name: string): boolean {
  const { entries = [], implementations = {} } = registry ?? {};
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) return lives.some((one) => one.name === name);
  const own = Object.hasOwn(implementations, name) ? implementations[name] : undefined;
  return (!entry.builtin && entry.brought === undefined) || (own !== undefined && own.code !== "");
}

function lifeOf(lives: ToolLife[], name: string): ToolLife {
  const known = lives.find((one) => one.name === name);
  if (known !== undefined) return known;
  const none = { worked: 0, unwritten: 0, nothing: 0, failed: 0, locked: 0, unheard: 0 };
  const life: ToolLife = {
    ...{ name, calls: { ...none, error: null }, rejected: {}, deployed: 0, deduplicated: 0 },
    ...{ standing: { kind: "never registered" }, broken: null },
  };
  lives.push(life);
  return life;
}

function follow({ lives, removals }: ToolLives, registry: SeenTools, atMs: number): void {
  const { entries, broken } = registry;
  const now = entries.map(({ name }) => name).filter((name) => isTool(lives, registry, name));
  for (const life of lives) {
    const isStanding = life.standing.kind === "working" || life.standing.kind === "ghost";
    if (!isStanding || now.includes(life.name)) continue;
    const [, gone] = removals.find(([tool]) => tool === life.name) ?? [];
    Object.assign(life, { standing: gone ?? { kind: "gone", atMs, by: null }, broken: null });
  }
  for (const name of now) {
    const listed = broken.find((one) => one.name === name);
    const kind = isGhost(registry, name) ? "ghost" : "working";
    Object.assign(lifeOf(lives, name), { standing: { kind }, broken: listed?.reason ?? null });
  }
}

/** A file left the tools folder. */
function removed(removals: ToolLives["removals"], { event, cause, dueMs }: SeenDelivery): void {
  // The pool watches a folder of its own.
  if (event.type !== "folder.changed" || event.text !== null) return;
  if (!event.path.startsWith(`${TOOLS_FOLDER}/`)) return;
  const name = event.path.slice(TOOLS_FOLDER.length + 1).replace(/\.(json|py)$/, "");
  const known = removals.find(([tool]) => tool === name);
  const gone: ToolGone = { kind: "gone", atMs: dueMs, by: cause };
  if (known === undefined) removals.push([name, gone]);
  // The code leaves after its spec: it is told once, of the spec.
  else if (event.path.endsWith(".json")) known[1] = gone;
}

function finished(calls: ToolCalls, event: MailOf<"call.finished">): void {
  const { ok, nothing, locked, unwritten, error } = event;
  calls.unheard -= 1;
  if (locked) calls.locked += 1;
  else if (nothing) calls.nothing += 1;
  else if (!ok) {
    calls.failed += 1;
    calls.error = error ?? "no reason given";
  } else if (unwritten === undefined) calls.worked += 1;
  else calls.unwritten += 1;
}

function synthesized(life: ToolLife, { verdict, steps }: MailOf<"synthesis.finished">): void {
  if (verdict === "already_deployed") life.deduplicated += 1;
  else if (verdict !== "rejected") life.deployed += 1;
  else {
    const failed = steps.find(({ outcome }) => outcome === "failed");
    const { step = 0, title = "", detail = "no reason given" } = failed ?? {};
    const count = (life.rejected[step]?.count ?? 0) + 1;
    life.rejected[step] = { title, count, detail };
  }
}

/** A life as a report tells it, where who removed a tool is known. */
export interface ToolStory extends Omit<ToolLife, "standing"> {
  readonly standing:
    | Exclude<ToolLife["standing"], ToolGone>
    /** `how`: moved to the archive, or deleted; `who` did it: an agent, `the operator (ID)`, a step. */
    | (Omit<ToolGone, "by"> & { readonly how: "archived" | "removed"; readonly who: string });
}

/** Every tool that was registered or synthesized, by name. The log says by whose hand one left. */
export function toolStories(
  { lives }: ToolLives,
  deliveries: Log<SeenDelivery>,
): readonly ToolStory[] {
  const at = finderIn(deliveries);
  return lives
    .map((life): ToolStory => {
      const { standing } = life;
      if (standing.kind !== "gone") return { ...life, standing };
      const { kind, atMs, by } = standing;
      const change = at(by ?? -1);
      const to = change?.event.type === "files.move" ? change.event.to : "";
      const how = to.startsWith(`${ARCHIVE_FOLDER}/`) ? "archived" : "removed";
      return { ...life, standing: { kind, how, who: whoseHand(change, at), atMs } };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function whoseHand(
  change: SeenDelivery | undefined,
  before: (seq: number) => SeenDelivery | undefined,
): string {
  for (let at = change; at !== undefined; at = before(at.cause ?? -1)) {
    if (at.from.startsWith("synthesis/")) return SYNTHESIS;
    if (at.from.startsWith("outside/")) return `the operator (${at.from.slice(8)})`;
    if ("agent" in at.event && at.event.agent !== undefined) return at.event.agent;
  }
  return "unknown";
}

/** What removes the tools that the nine steps refuse. */
export const SYNTHESIS = "the nine steps";
