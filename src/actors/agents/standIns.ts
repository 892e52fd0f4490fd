/** Agents that stand in for recorded ones: whether they go on as they were recorded. */
import type { Gauge } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import { recordedCall } from "../../contract/recordedCall.ts";
import type { MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";

/** By agent, the digests of its calls of tools in their order. */
export type RecordedCalls = { readonly [agent: string]: readonly string[] };

interface Open {
  readonly event: MailOf<"call.requested">;
  /** What was recorded in its place; undefined where nothing was. */
  readonly recorded: string | undefined;
}

/** From the first call on that is another, or came to something else, an agent has left its recording. */
export class StandIns implements Observer {
  readonly #recorded: RecordedCalls;
  readonly #tools: ReadonlySet<string>;
  readonly #gauge: Gauge;
  readonly kept = { made: new Map<string, number>(), open: new Map<number, Open>() };

  /** `tools` are those of the scenario: what else is called is the world's own. */
  constructor(recorded: RecordedCalls, tools: ReadonlySet<string>, gauge: Gauge) {
    this.#recorded = recorded;
    this.#tools = tools;
    this.#gauge = gauge;
  }

  observe({ seq, re, event, dueMs }: SeenDelivery): void {
    const { made, open: opened } = this.kept;
    if (event.type === "call.requested" && this.#tools.has(event.tool ?? "")) {
      const nth = made.get(event.agent) ?? 0;
      made.set(event.agent, nth + 1);
      opened.set(seq, { event, recorded: ownValue(this.#recorded, event.agent)?.[nth] });
    }
    const open = opened.get(re ?? -1);
    if (event.type !== "call.finished" || open === undefined) return;
    opened.delete(re ?? -1);
    const { agent, tool = "", params } = open.event;
    const error = event.ok ? null : (event.error ?? "");
    const came = recordedCall({ tool, args: params, result: event.result, error });
    if (came !== open.recorded) this.#gauge.count("recording.left", agent, dueMs, 1);
  }
}
