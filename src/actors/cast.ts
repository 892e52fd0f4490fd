/** What may live in a world: each machine of each part, and the ports it may write to. */
import type { AnyStateMachine } from "xstate";
import type { AnyService } from "../machines/service.ts";
import type { Behaviour } from "../substrate/behaviour.ts";
import type { Cast, Role } from "../substrate/resident.ts";
import { serviceBehaviour } from "../substrate/serviceBehaviour.ts";
import { statechartBehaviour } from "../substrate/statechart.ts";
import { attachedBy } from "./attached.ts";
import type { Part } from "./part.ts";
import type { Policy } from "./policy.ts";
import type { Sections } from "./scenario.ts";

/** `sections` of the scenario say which parts attach to others in this world. */
export function castOf(
  parts: readonly Part[],
  policy: Policy,
  sections: Partial<Sections> = {},
): Cast {
  const attached = attachedBy(
    parts.filter(({ attachesTo }) => attachesTo?.(policy, sections) ?? true),
  );
  const roles = parts.flatMap(({ statecharts, services, ports = {} }) => {
    const role = (name: string, make: () => Behaviour): [string, Role] => [
      name,
      roleOf(make, ports[name] ?? []),
    ];
    const charts = Object.entries(statecharts?.(policy, attached) ?? {});
    const reducers = Object.entries(services?.(policy, attached) ?? {});
    return [
      ...charts.map(([name, chart]) => role(name, () => statechartBehaviour(chart) as Behaviour)),
      ...reducers.map(([name, service]) =>
        role(name, () => serviceBehaviour(service) as Behaviour),
      ),
    ];
  });
  return Object.fromEntries(roles);
}

/** Its behaviour is made for the first actor: few machines of a cast ever live in one run. */
function roleOf(make: () => Behaviour, ports: readonly string[]): Role {
  let made: Behaviour | undefined;
  return {
    get behaviour() {
      made ??= make();
      return made;
    },
    ports,
  };
}

/** Every statechart of these parts, with all that is attached to it, by the name under which actors are started. */
export const statechartsOf = (
  parts: readonly Part[],
  policy: Policy,
): { readonly [machine: string]: AnyStateMachine } =>
  Object.assign({}, ...parts.map(({ statecharts }) => statecharts?.(policy, attachedBy(parts))));

/** Every service, by the same kind of name. */
export const servicesOf = (
  parts: readonly Part[],
  policy: Policy,
): { readonly [machine: string]: AnyService } =>
  Object.assign({}, ...parts.map(({ services }) => services?.(policy, attachedBy(parts))));
