/** What may be different in a run: one change each, told and applied in the same way by every search for causes. */

import type { PolicyValue } from "../../contract/policy.ts";
import type { OutsideEvent, Scenario, Variant } from "../../contract/scenario.ts";
import type { Fault, FaultName } from "../../faults/faults.ts";
import type { SimulateOptions } from "../simulate.ts";

export type Change =
  /** A leaf of the policy has another value. */
  | {
      readonly kind: "set";
      readonly path: string;
      readonly value: PolicyValue;
      /** Of a long list: what of it is different. */
      readonly says?: string;
    }
  /** An outside input does not come. */
  | { readonly kind: "event"; readonly id: string }
  /** An option is taken out of the repertoire of the model, or of a person. */
  | { readonly kind: "choice"; readonly id: string }
  /** Mail of this name does not come, or a router takes its second. */
  | { readonly kind: "mail"; readonly id: string }
  /** From there on each call of a tool meets a fault. */
  | { readonly kind: "fault"; readonly does: FaultName; readonly tool: string }
  /** An option that variants take out is there. */
  | { readonly kind: "back"; readonly id: string }
  /** One more outside input comes. */
  | { readonly kind: "added"; readonly event: OutsideEvent };

/** A choice that nobody makes or an input that does not come: what sets and shares are of. */
export const isOmission = ({ kind }: Change): boolean => kind === "event" || kind === "choice";

/** The same text for the same change, and for no other. */
export function changeText(change: Change): string {
  switch (change.kind) {
    case "set":
      return change.says ?? `${change.path}: ${valueText(change.value)}`;
    case "event":
    case "choice":
    case "mail":
      return `without ${change.id}`;
    case "back":
      return `with ${change.id}`;
    case "fault":
      return `with the fault ${change.does}@${change.tool}`;
    case "added":
      return `with ${change.event.id}`;
  }
}

const valueText = (value: PolicyValue): string =>
  typeof value === "object" ? `[${value.join(", ")}]` : `${value}`;

export const changesText = (changes: readonly Change[]): string =>
  changes.length === 0 ? "nothing" : changes.map(changeText).join(" and ");

type Changed = Pick<SimulateOptions, "set" | "without" | "faults">;

/** The scenario and the options of a run with these changes; of two of one leaf the last counts. */
export function changed(
  scenario: Scenario,
  set: { readonly [path: string]: PolicyValue },
  changes: readonly Change[],
): { readonly scenario: Scenario; readonly options: Changed } {
  const own: { [path: string]: PolicyValue } = { ...set };
  const added: OutsideEvent[] = [];
  const faults: Fault[] = [];
  const without = { events: [] as string[], choices: [] as string[] };
  const back = new Set<string>();
  for (const change of changes) {
    if (change.kind === "set") own[change.path] = change.value;
    else if (change.kind === "added") added.push(change.event);
    else if (change.kind === "fault") faults.push(faultOf(change));
    else if (change.kind === "event") without.events.push(change.id);
    else if (change.kind === "back") back.add(change.id);
    else without.choices.push(change.id);
  }
  const more = {
    ...(added.length > 0 && { events: [...scenario.events, ...added] }),
    ...(back.size > 0 && { variants: variantsWith(scenario, back) }),
  };
  return { scenario: { ...scenario, ...more }, options: { set: own, without, faults } };
}

const variantsWith = ({ variants }: Scenario, back: ReadonlySet<string>): Scenario["variants"] =>
  Object.fromEntries(
    Object.entries(variants).map(([name, { without, ...one }]) => {
      const choices = without.choices.filter((id) => !back.has(id));
      return [name, { ...one, without: { ...without, choices } }];
    }),
  );

const faultOf = ({ does, tool }: Extract<Change, { kind: "fault" }>): Fault => ({
  ...{ id: `${does}@${tool}`, does, tool, fromMs: 0, toMs: null, perMille: 1_000 },
  ...{ times: null, byMs: null },
});

/** What each change of a variant would be undone by, where that can be on the way. Its events are outside inputs. */
export function undoing(
  { policy, without }: Variant,
  before: { readonly [path: string]: PolicyValue | undefined },
): readonly Change[] {
  const leaves = Object.entries(policy).flatMap(([path, now]): Change[] => {
    const value = before[path];
    return value === undefined || `${value}` === `${now}` ? [] : [{ kind: "set", path, value }];
  });
  return [...leaves, ...without.choices.map((id): Change => ({ kind: "back", id }))];
}

/** What a variant changes, part by part; nothing that is so already. */
export function changesOf(
  { policy, events, without }: Variant,
  now: { readonly [path: string]: PolicyValue },
): readonly Change[] {
  const leaves = Object.entries(policy).filter(([path, value]) => `${now[path]}` !== `${value}`);
  return [
    ...without.events.map((id): Change => ({ kind: "event", id })),
    ...without.choices.map((id): Change => ({ kind: "choice", id })),
    ...leaves.map(([path, value]): Change => ({ kind: "set", path, value })),
    ...events.map((event): Change => ({ kind: "added", event })),
  ];
}
