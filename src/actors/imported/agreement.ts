/** How far a played world agrees with the log it was made of: call by call and message by message of each agent. */
import type { Json } from "../../machines/letter.ts";
import { sortedJson } from "../../machines/sortedJson.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import type { CallItem, ItemPlace } from "./worldItems.ts";
import type { World } from "./worldOf.ts";
import { wordsOf } from "./worldTurns.ts";

export interface Agreement {
  readonly calls: Share & {
    /** Of the calls made again: how many have a result in the log, and how many returned the same. */
    readonly results: number;
    readonly sameResults: number;
  };
  readonly messages: Share;
  /** The first that is not as in the log; null where everything is. */
  readonly first: Difference | null;
}

interface Share {
  readonly inLog: number;
  readonly same: number;
  /** 1 where the log has none. */
  readonly share: number;
}

export interface Difference {
  readonly what: "call" | "result" | "message";
  readonly agent: string;
  /** Where it stands in the log; null for a call that only the run made. */
  readonly log: ItemPlace | null;
  /** Its number in the run; null where the run did not come to it. */
  readonly seq: number | null;
  readonly reason: string;
}

interface Done {
  readonly seq: number;
  readonly tool: string;
  readonly args: Json;
  result: Json;
  error: string | null;
  isOver: boolean;
}

/** What the run did, by agent: given its deliveries in order. */
export class PlayedCalls {
  readonly #byAgent = new Map<string, Done[]>();
  readonly #open = new Map<number, Done>();

  add({ seq, re, event }: Pick<SeenDelivery, "seq" | "re" | "event">): void {
    if (event.type === "call.requested") {
      const { agent, tool = "", params } = event;
      const done = { seq, tool, args: params, result: null, error: null, isOver: false };
      const all = this.#byAgent.get(agent) ?? [];
      all.push(done);
      this.#byAgent.set(agent, all);
      this.#open.set(seq, done);
    }
    const done = re === undefined ? undefined : this.#open.get(re);
    if (event.type !== "call.finished" || done === undefined) return;
    this.#open.delete(re ?? -1);
    done.isOver = true;
    done.result = event.result;
    done.error = event.ok ? null : (event.error ?? "no reason given");
  }

  of = (agent: string): readonly Done[] => this.#byAgent.get(agent) ?? [];
}

/** A call that the log does not have would make its neighbours differ: an agent's calls are compared in order. */
export function agreementOf(
  { log, agents, tools, notes }: Omit<World, "source">,
  played: PlayedCalls,
): Agreement {
  const counts = { calls: 0, sameCalls: 0, results: 0, sameResults: 0, messages: 0, sent: 0 };
  const receivers = new Map(
    notes.turns.turns.flatMap(({ acts }) =>
      acts.flatMap((act) => (act.kind === "message" ? [[act.item, act] as const] : [])),
    ),
  );
  let first: Difference | null = null;
  const differs = (one: Difference): void => {
    first ??= one;
  };
  const after = notes.turns.stopped?.item.seq ?? Number.POSITIVE_INFINITY;
  const beyond = `the scenario ends before it: it holds ${notes.turns.stopped?.why}`;
  /** Of each agent of the log, what the run did and was not compared yet. */
  const left = new Map<string, { readonly calls: Done[]; readonly messages: Done[] }>();
  const leftOf = (agent: string) => {
    const known = left.get(agent);
    if (known !== undefined) return known;
    const all = played.of(agents.known(agent) ?? "");
    const isMessage = ({ tool }: Done): boolean => tool === "message_send";
    const both = { calls: all.filter((one) => !isMessage(one)), messages: all.filter(isMessage) };
    left.set(agent, both);
    return both;
  };
  for (const item of log.items) {
    if (item.kind === "heard") continue;
    const { agent } = item;
    const { calls, messages } = leftOf(agent);
    if (item.kind === "sent") {
      const act = receivers.get(item);
      if (act === undefined) continue; // People hear it, or nobody: no world plays that.
      counts.messages += 1;
      const done = messages.shift();
      const wanted = { to: agents.known(act.to) ?? "", text: wordsOf(item.text) };
      const reason = reasonOf(done, "message_send", wanted);
      if (reason === undefined) counts.sent += 1;
      else differs({ what: "message", agent, log: item, seq: done?.seq ?? null, reason });
      continue;
    }
    counts.calls += 1;
    const done = item.seq >= after ? undefined : calls.shift();
    const reason =
      item.seq >= after ? beyond : reasonOf(done, tools.known(item.tool) ?? "", argumentsOf(item));
    if (reason !== undefined || done === undefined) {
      differs({ what: "call", agent, log: item, seq: done?.seq ?? null, reason: reason ?? beyond });
      continue;
    }
    counts.sameCalls += 1;
    if (item.outcome === null) continue;
    counts.results += 1;
    const other = resultReason(item.outcome, done);
    if (other === undefined) counts.sameResults += 1;
    else differs({ what: "result", agent, log: item, seq: done.seq, reason: other });
  }
  if (log.beyond !== null && log.beyond.calls > 0) {
    const { first: place } = log.beyond;
    differs({ what: "call", agent: "some agent", log: place, seq: null, reason: beyond });
  }
  for (const [agent, { calls }] of left) {
    const [extra] = calls;
    if (extra === undefined) continue;
    const reason = `the run calls ${extra.tool} once more than the log`;
    differs({ what: "call", agent, log: null, seq: extra.seq, reason });
  }
  const share = (same: number, inLog: number): Share => ({
    ...{ inLog, same, share: inLog === 0 ? 1 : same / inLog },
  });
  const { results, sameResults } = counts;
  return {
    calls: {
      ...share(counts.sameCalls, counts.calls + (log.beyond?.calls ?? 0)),
      results,
      sameResults,
    },
    messages: share(counts.sent, counts.messages),
    first,
  };
}

/** What the log holds, uncut, under the names that a scenario gives to what is no map. */
function argumentsOf({ args, raw }: CallItem): Json {
  if (raw !== null) return { raw };
  if (args === null) return {};
  return typeof args === "object" && !Array.isArray(args) ? args : { value: args };
}

function reasonOf(done: Done | undefined, tool: string, args: Json): string | undefined {
  if (done === undefined) return "the run does not come to it";
  if (done.tool !== tool) return `the run calls ${done.tool} there`;
  const isSame =
    sortedJson(done.args) === sortedJson(args) ||
    sortedJson(done.args) === sortedJson({ json: JSON.stringify(args) });
  return isSame ? undefined : "other arguments than in the log";
}

function resultReason(
  { result, error }: NonNullable<CallItem["outcome"]>,
  done: Done,
): string | undefined {
  if (!done.isOver) return "the run ends before it returns";
  if ((error === null) !== (done.error === null)) {
    return done.error === null
      ? "it returned instead of failing"
      : `it failed: ${done.error.slice(0, 200)}`;
  }
  if (error !== null) {
    return error === done.error || error === "" ? undefined : "another error than in the log";
  }
  const isSame =
    sortedJson(result) === sortedJson(done.result) || done.result === JSON.stringify(result);
  return isSame ? undefined : "another result than in the log";
}
