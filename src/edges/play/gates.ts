/** The gates of the parts, and the desks at which they share a person. */
import { groupedBy } from "../../machines/grouped.ts";
import type { Provider } from "../../substrate/port.ts";
import type { PartLists } from "../parts/partLists.ts";
import type { PartGate } from "./gate.ts";

type Lists = Pick<PartLists, "edgeParts">;

export const gatesOf = ({ edgeParts }: Lists): readonly PartGate[] =>
  edgeParts.flatMap(({ gate }) => gate ?? []);

/** Whether a person decides there. */
export const isGate = (lists: Lists, port: string): boolean =>
  gatesOf(lists).some((gate) => gate.port === port);

/** The gate of the part whose question this is. */
export const gateFor = (
  lists: Lists,
  port: string,
  { type }: { readonly type: string },
): PartGate | undefined => gatesOf(lists).find((gate) => gate.port === port && gate.asks === type);

/** The names of the parts that have one. */
export const gatedParts = ({ edgeParts }: Lists): readonly string[] =>
  edgeParts.flatMap(({ name, gate }) => (gate === undefined ? [] : [name]));

/** What serves each port, where several parts have their questions answered by one person. */
export function desksOf(
  served: readonly (Pick<PartGate, "port" | "asks"> & { readonly provider: Provider })[],
): readonly [string, Provider][] {
  return [...groupedBy(served, ({ port }) => port)].map(([port, all]) => {
    const provider: Provider = {
      answer: (request) => {
        const own = all.find(({ asks }) => asks === request.event.type);
        if (own === undefined) throw new Error(`no part asks ${request.event.type} at ${port}`);
        return own.provider.answer(request);
      },
    };
    return [port, provider];
  });
}
