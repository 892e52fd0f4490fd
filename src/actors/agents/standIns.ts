/** Agents that stand in for recorded ones: whether they go on as they were recorded. */
import type { Gauge } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import { recordedCall } from "../../contract/recordedCall.ts";
import type { MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";

/** By agent, the digests of its calls of tools in their order, with a space between; of several recordings, a list. */
export type RecordedCalls = { readonly [agent: string]: string | readonly string[] };

interface Open {
  readonly event: MailOf<"call.requested">;
  readonly nth: number;
}

/** From the first call on that is in none of those recordings in which all was the same before, an agent has left them. */
export class StandIns implements Observer {
  readonly #recorded: RecordedCalls;
  readonly #tools: ReadonlySet<string>;
  readonly #gauge: Gauge;
  readonly kept = {
    made: new Map<string, number>(),
    open: new Map<number, Open>(),
    /** By agent, the recordings in which all was the same so far. */
    alike: new Map<string, readonly (readonly string[])[]>(),
  };

  /** `tools` are those of the scenario: what else is called is the world's own. */
  constructor(recorded: RecordedCalls, tools: ReadonlySet<string>, gauge: Gauge) {
    this.#recorded = recorded;
    this.#tools = tools;
    this.#gauge = gauge;
  }

  observe({ seq, re, event, dueMs }: SeenDelivery): void {
    const { made, open: opened, alike: followed } = this.kept;
    if (event.type === "call.requested" && this.#tools.has(event.tool ?? "")) {
      const nth = made.get(event.agent) ?? 0;
      made.set(event.agent, nth + 1);
      opened.set(seq, { event, nth });
    }
    const open = opened.get(re ?? -1);
    if (event.type !== "call.finished" || open === undefined) return;
    opened.delete(re ?? -1);
    const { agent, tool = "", params } = open.event;
    const error = event.ok ? null : (event.error ?? "");
    const came = recordedCall({ tool, args: params, result: event.result, error });
    const alike =
      followed.get(agent) ??
      [ownValue(this.#recorded, agent) ?? []].flat().map((calls) => calls.split(" "));
    const still = alike.filter((calls) => calls[open.nth] === came);
    if (still.length > 0) followed.set(agent, still);
    else this.#gauge.count("recording.left", agent, dueMs, 1);
  }
}
