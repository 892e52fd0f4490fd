/** Drives a machine by its tables (chartTables.ts): XState's semantics, without its interpreter. */
import type { Carried, Json, Outbox, TimerEvent } from "../machines/letter.ts";
import { assert } from "./assert.ts";
import type { Behaviour, Effect, Step } from "./behaviour.ts";
import { canonicalJson } from "./canonicalJson.ts";
import type { Doing, Given } from "./chartActs.ts";
import type { Chart, Leaf, Way } from "./chartTables.ts";

/** Ours: microsteps for one event, far above any machine's need; a cycle of `always` would hang. */
export const MICROSTEPS_MAX = 100;

export interface ChartState {
  readonly leaf: Leaf;
  readonly context: object;
  readonly output: Json | undefined;
}

const NO_WAYS: readonly Way[] = [];
const NO_EFFECTS: readonly Effect[] = [];

export function chartBehaviour(chart: Chart): Behaviour<ChartState> {
  const { id } = chart.machine;
  const stepper = new Stepper(chart);
  return {
    id,
    start: (_address, input, at) => stepper.start({ ...input, at }),
    receive: (_address, state, event) => stepper.receive(state, event),
    value: ({ leaf }) => leaf.value,
    context: ({ context }) => context,
    members: ({ context }) => context,
    // As XState keeps it.
    persist: ({ leaf, context, output }) => {
      canonicalJson(context, `${id}: context`);
      return {
        status: leaf.isEnd ? "done" : "active",
        value: leaf.value,
        historyValue: {},
        // In the order of its keys, which is not the canonical one.
        context: JSON.parse(JSON.stringify(context)),
        children: {},
        ...(output !== undefined && { output }),
      };
    },
    shared: ({ leaf, context, output }) => ({ value: leaf.value, context, output }) as Json,
    restore: (_address, saved) => {
      const { value, context, output } = saved as unknown as Saved;
      const leaf = chart.leafOf(value);
      assert(leaf !== undefined, `${id} has no state ${JSON.stringify(value)}`);
      return { leaf, context, output };
    },
  };
}

/** Whether it has the same keys in the same order. */
function hasKeysOf(context: object, update: object): boolean {
  const keys = Object.keys(update);
  const those = Object.keys(context);
  if (keys.length !== those.length) return false;
  for (let i = 0; i < keys.length; i++) if (keys[i] !== those[i]) return false;
  return true;
}

interface Saved {
  readonly value: Json;
  readonly context: object;
  readonly output?: Json;
}

/** One for each behaviour: what it holds is of the event at hand. */
class Stepper implements Doing {
  readonly given: Given = { context: {}, event: { type: "xstate.after.none" } };
  readonly #chart: Chart;
  #leaf: Leaf;
  /** Undefined while there are none, which is often all there is to say. */
  #effects: Effect[] | undefined;
  #raised: Carried[] | undefined;
  #hasChanged = false;
  #output: Json | undefined;

  constructor(chart: Chart) {
    this.#chart = chart;
    this.#leaf = chart.entry.leaf;
  }

  start(input: object): Step<ChartState> {
    const { begin, entry } = this.#chart;
    // XState's own event: no mail.
    this.#open({}, { type: "xstate.init", input } as unknown as Carried, entry.leaf);
    this.given.context = begin(this.given, input);
    this.#go(entry);
    return this.#settled();
  }

  receive(state: ChartState, event: Carried): Step<ChartState> {
    this.#open(state.context, event, state.leaf);
    const way = this.#way(state.leaf.ways.get(event.type) ?? NO_WAYS);
    if (way !== undefined) this.#go(way);
    return this.#settled(state);
  }

  assign(update: object | undefined): void {
    const { context } = this.given;
    // A copy of one object costs a third of one of two, and many updates are made from the whole context.
    const isWhole = update !== undefined && hasKeysOf(context, update);
    this.given.context = isWhole ? { ...update } : { ...context, ...update };
    this.#hasChanged = true;
  }

  letters(outbox: Outbox): void {
    assert(outbox.type === "outbox", "a machine speaks through its outbox only");
    for (const letter of outbox.letters) this.#add({ kind: "letter", letter });
  }

  timer(id: string, event: TimerEvent, delayMs: number): void {
    this.#add({ kind: "timer", id, event, delayMs });
  }

  cancel(id: string): void {
    this.#add({ kind: "cancelTimer", id });
  }

  raise(event: Carried): void {
    if (this.#raised === undefined) this.#raised = [event];
    else this.#raised.push(event);
  }

  end(output: Json | undefined): void {
    this.#output = output;
  }

  #open(context: object, event: Carried, leaf: Leaf): void {
    this.given.context = context;
    this.given.event = event;
    this.#leaf = leaf;
    this.#effects = undefined;
    this.#raised = undefined;
    this.#hasChanged = false;
    this.#output = undefined;
  }

  #add(effect: Effect): void {
    if (this.#effects === undefined) this.#effects = [effect];
    else this.#effects.push(effect);
  }

  #way(ways: readonly Way[]): Way | undefined {
    for (const way of ways) if (way.guard === undefined || way.guard(this.given)) return way;
    return undefined;
  }

  /** One microstep. */
  #go({ acts, leaf }: Way): void {
    for (const act of acts) act(this);
    if (leaf === undefined) return;
    if (leaf !== this.#leaf) this.#hasChanged = true;
    this.#leaf = leaf;
  }

  /** Takes what needs no event, then what the machine raised for itself, until nothing is left. */
  #settled(previous?: ChartState): Step<ChartState> {
    let isOpen = true;
    for (let count = 1; !this.#leaf.isEnd; count++) {
      assert(
        count <= MICROSTEPS_MAX,
        `${this.#chart.machine.id} took more than ${MICROSTEPS_MAX} microsteps for one event: a cycle of always`,
      );
      const free: Way | undefined = isOpen ? this.#way(this.#leaf.always) : undefined;
      const event = free === undefined ? this.#raised?.shift() : undefined;
      if (free === undefined && event === undefined) break;
      if (event !== undefined) this.given.event = event;
      const way: Way | undefined =
        free ?? this.#way(this.#leaf.ways.get(this.given.event.type) ?? NO_WAYS);
      const { context } = this.given;
      const leaf = this.#leaf;
      if (way !== undefined) this.#go(way);
      // A step without an event that changes nothing is not taken again.
      isOpen = free === undefined || this.#leaf !== leaf || this.given.context !== context;
    }
    return this.#step(previous);
  }

  #step(previous: ChartState | undefined): Step<ChartState> {
    const { context } = this.given;
    const leaf = this.#leaf;
    const effects = this.#effects ?? NO_EFFECTS;
    const output = this.#output;
    const ended = leaf.isEnd;
    const state = previous === undefined || this.#hasChanged ? { leaf, context, output } : previous;
    const handled = state !== previous || effects.length > 0;
    return output === undefined
      ? { state, handled, effects, ended }
      : { state, handled, effects, ended, output };
  }
}
