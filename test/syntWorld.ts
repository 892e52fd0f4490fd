// Worlds with synt whose Python is stood in for, so that a test can play many of them at once.
import { loadScenario } from "../src/edges/scenarioFile.ts";
import type { MailEvent } from "../src/machines/letter.ts";
import { AUDIT_FOLDER, isTerminal, type Stated } from "../src/machines/synt/contract.ts";
import { metricChecks } from "../src/metricTable.ts";
import type { Scenario } from "../src/scenario.ts";
import { type SimulateOptions, simulate } from "../src/simulate.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { PromptProvider } from "../src/substrate/port.ts";

/** Does what the scenarios' own code does: works through a list of items. */
export const items: PromptProvider = {
  answer({ event }) {
    const { args } = event["params"] as { args: { items?: unknown; text?: unknown } };
    const list = args.items;
    const result = Array.isArray(list)
      ? { ok: true, entries: list.map((value) => ({ value })), ok_count: list.length }
      : { ok: false, error: "items must be a list", error_class: "invalid_args" };
    return { event: { type: "sandbox.replied", ok: true, timedOut: false, result }, latencyMs: 1 };
  },
};

export const syntScenario = (name: string): Scenario => loadScenario(name, metricChecks).scenario;

/** Everything delivered in one world. */
export function played(scenario: Scenario, options: SimulateOptions = {}) {
  const log: Delivery[] = [];
  const result = simulate(scenario, {
    ...options,
    ports: { "port/sandbox.run": items, ...options.ports },
    onDelivery: (delivery) => log.push(delivery),
  });
  return { log, result };
}

export interface Line {
  readonly request_id: string;
  readonly mode: string;
  readonly state: Stated["state"];
  readonly strategy: string | null;
  readonly target_intent: string;
  readonly rationale: string;
  readonly chain?: readonly string[];
  readonly cost_cents: number;
  readonly line: number;
  readonly ts: string;
  readonly certified?: {
    readonly budget_cents: number;
    readonly lines: number;
    readonly within_budget: boolean;
  };
}

/** The audit, request by request. */
export function auditOf(log: readonly Delivery[]): ReadonlyMap<string, readonly Line[]> {
  const lines = eventsOf(log, "files.append")
    .filter(({ event }) => String(event["path"]).startsWith(AUDIT_FOLDER))
    .map(({ event }) => JSON.parse(String(event["text"])) as Line)
    .filter((line) => line.request_id !== undefined);
  return Map.groupBy(lines, (line) => line.request_id);
}

export const eventsOf = (log: readonly Delivery[], type: MailEvent["type"]) =>
  log.filter(({ event }) => event.type === type);

/** What breaks a promise of seed 002, chapter 12, in one log; nothing when all are kept. */
export function broken(log: readonly Delivery[], dayCents = 2000, hopsMax = 5): readonly string[] {
  const faults: string[] = [];
  const fault = (holds: boolean, says: string) => {
    if (!holds) faults.push(says);
  };
  for (const [request, lines] of auditOf(log)) {
    const states = lines.map(({ state }) => state);
    const last = lines.at(-1);
    const first = states[0];
    fault(first === "composing" || first === "proposed", `${request} begins with ${first}`);
    fault(
      lines.every(({ line }, index) => line === index + 1),
      `${request} has a line missing`,
    );
    fault(
      states.slice(0, -1).every((state) => !isTerminal(state)),
      `${request} goes on after its end`,
    );
    fault(
      states.indexOf("generating") < 0 ||
        states.indexOf("composing") < states.indexOf("generating"),
      `${request} generates before it composes`,
    );
    fault(
      lines.every(({ chain }) => chain === undefined || chain.length <= hopsMax + 1),
      `${request} has a chain of more than ${hopsMax} hops`,
    );
    fault(
      lines.every(({ rationale }) => rationale !== ""),
      `${request} gives no reason`,
    );
    if (last !== undefined && isTerminal(last.state)) {
      fault(last.certified?.within_budget === true, `${request} is over its budget`);
      fault(last.certified?.lines === lines.length, `${request} miscounts its lines`);
    }
    fault(
      last?.state !== "delivered" || states.includes("generating") || last.cost_cents === 0,
      `${request} paid for a chain`,
    );
  }
  faults.push(...unguarded(log), ...overspent(log, dayCents), ...outOfTurn(log));
  return faults;
}

/** Whatever came into the pool without the person's word before it, or without a right signature. */
function unguarded(log: readonly Delivery[]): string[] {
  const offers = eventsOf(log, "executor.offered");
  return eventsOf(log, "pool.admitted").flatMap(({ event, to, seq }) => {
    if (event["ok"] !== true) return [];
    const approved = eventsOf(log, "person.decided").some(
      (one) => one.to === to && one.event["decision"] === "approve" && one.seq < seq,
    );
    const offered = offers.some(({ from }) => from === to);
    const verified = eventsOf(log, "sign.verified").some((one) => one.event["ok"] === true);
    return approved && offered && verified ? [] : [`${to} entered without gate or signature`];
  });
}

/** Calls that were made although all that was set aside passed the day's cap. */
function overspent(log: readonly Delivery[], dayCents: number): string[] {
  const spent = eventsOf(log, "paid.ended").reduce(
    (sum, { event }) => sum + Number(event["cost"]),
    0,
  );
  const lastMs = log.at(-1)?.dueMs ?? 0;
  const days = Math.floor(lastMs / 86_400_000) + 2;
  return spent <= dayCents * 1_000_000 * days ? [] : ["more was spent than the days allow"];
}

/** Introspective requests that began while a turn was open. */
function outOfTurn(log: readonly Delivery[]): string[] {
  const open = new Set<unknown>();
  return log.flatMap(({ event, fate }) => {
    if (fate !== "handled") return [];
    if (event.type === "turn.opened") open.add(event["turn"]);
    if (event.type === "turn.closed") open.delete(event["turn"]);
    const input = event["input"] as { readonly mode?: string } | undefined;
    const isIntrospective =
      event["machine"] === "synthesisRequest" && input?.mode === "introspective";
    return isIntrospective && open.size > 0 ? ["an introspective request began inside a turn"] : [];
  });
}
