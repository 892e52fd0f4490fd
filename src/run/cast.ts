/** What may live in a world: each machine of each part, and the ports it may write to. */

import type { AnyStateMachine } from "xstate";
import { attachedBy, attachingIn } from "../contract/attached.ts";
import type { Part } from "../contract/part.ts";
import type { Policy } from "../contract/policy.ts";
import type { Sections } from "../contract/scenario.ts";
import { onceFor } from "../machines/onceFor.ts";
import { ownValue } from "../machines/ownValue.ts";
import type { AnyService } from "../machines/service.ts";
import type { Behaviour } from "../substrate/behaviour.ts";
import type { Blame, Cast, Role } from "../substrate/resident.ts";
import { serviceBehaviour } from "../substrate/serviceBehaviour.ts";
import { type Interpreter, keptFromTables, statechartBehaviour } from "../substrate/statechart.ts";

/** A part; of one that a program brings, also who answers for its machines. */
interface Blamed extends Part {
  readonly blame?: (machine: string) => Blame;
}

/** What the roles of a part follow from, besides its policy. */
interface Made {
  readonly attaching: readonly Part[];
  readonly interpreter: Interpreter;
  readonly roles: readonly [string, Role][];
}

/** `sections` of the scenario say which parts attach to others in this world. */
export function castOf(
  parts: readonly Blamed[],
  policy: Policy,
  sections: Partial<Sections> = {},
  interpreter: Interpreter = "tables",
): Cast {
  const attaching = attachingIn(parts, policy, sections);
  return Object.fromEntries(
    parts.flatMap((part) => {
      // A part that a program brings may keep something of a run in its machines.
      if (part.blame !== undefined) return rolesOf(part, policy, attaching, interpreter);
      const made = madeOf(part)(policy);
      const known = made.find(
        (one) => one.interpreter === interpreter && isSame(one.attaching, attaching),
      );
      if (known !== undefined) return known.roles;
      const roles = rolesOf(part, policy, attaching, interpreter);
      made.push({ attaching, interpreter, roles });
      return roles;
    }),
  );
}

/** Runs with one policy share their machines and tables, which remember nothing of a run. */
const madeOf = onceFor((_: Part) => onceFor((_policy: Policy): Made[] => []));

const isSame = (some: readonly Part[], others: readonly Part[]): boolean =>
  some.length === others.length && some.every((one, index) => one === others[index]);

function rolesOf(
  { statecharts, services, ports = {}, blame: blameFor }: Blamed,
  policy: Policy,
  attaching: readonly Part[],
  interpreter: Interpreter,
): [string, Role][] {
  const attached = attachedBy(attaching);
  const role = (name: string, make: () => Behaviour): [string, Role] => {
    const blame = blameFor?.(name);
    const behaviour = blame === undefined ? make() : answeredFor(make, blame, name);
    return [name, { behaviour, ports: ownValue(ports, name) ?? [], blame }];
  };
  const charts = Object.entries(statecharts?.(policy, attached) ?? {});
  const reducers = Object.entries(services?.(policy, attached) ?? {});
  return [
    ...charts.map(([name, chart]) => role(name, () => statechartBehaviour(chart, interpreter))),
    ...reducers.map(([name, service]) => role(name, () => serviceBehaviour(service) as Behaviour)),
  ];
}

/** The same behaviour; what it throws says whose it is. */
function answeredFor(make: () => Behaviour, { threw }: Blame, name: string): Behaviour {
  const guarded = <T>(address: string, run: () => T): T => {
    try {
      return run();
    } catch (thrown) {
      throw threw(thrown, address);
    }
  };
  const behaviour = guarded(name, make);
  return {
    ...behaviour,
    start: (address, ...rest) => guarded(address, () => behaviour.start(address, ...rest)),
    receive: (address, ...rest) => guarded(address, () => behaviour.receive(address, ...rest)),
    restore: (address, saved) => guarded(address, () => behaviour.restore(address, saved)),
  };
}

/**
 * Every statechart of these parts, by the name under which actors are started, with what is attached to it: in the world of
 * these sections, or where none are given all that there is.
 */
export function statechartsOf(
  parts: readonly Part[],
  policy: Policy,
  sections?: Partial<Sections>,
): { readonly [machine: string]: AnyStateMachine } {
  const attached = attachedBy(sections ? attachingIn(parts, policy, sections) : parts);
  return Object.assign({}, ...parts.map(({ statecharts }) => statecharts?.(policy, attached)));
}

/** Every service, by the same kind of name. */
export const servicesOf = (
  parts: readonly Part[],
  policy: Policy,
): { readonly [machine: string]: AnyService } =>
  Object.assign({}, ...parts.map(({ services }) => services?.(policy, attachedBy(parts))));

/** The statecharts that no tables hold, and which construct keeps each from them: XState drives these. */
export const withoutTables = (
  parts: readonly Part[],
  policy: Policy,
): readonly { readonly name: string; readonly why: string }[] =>
  Object.entries(statechartsOf(parts, policy)).flatMap(([name, machine]) => {
    const why = keptFromTables(machine);
    return why === undefined ? [] : [{ name, why }];
  });
