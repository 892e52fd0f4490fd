/** What may live in a world: each machine of each part, and the ports it may write to. */
import type { AnyStateMachine } from "xstate";
import type { AnyService } from "../machines/service.ts";
import type { Behaviour } from "../substrate/behaviour.ts";
import type { Cast, Role } from "../substrate/resident.ts";
import { serviceBehaviour } from "../substrate/serviceBehaviour.ts";
import { statechartBehaviour } from "../substrate/statechart.ts";
import type { Part } from "./part.ts";
import type { Policy } from "./policy.ts";

export function castOf(parts: readonly Part[], policy: Policy): Cast {
  const roles = parts.flatMap(({ statecharts, services, ports = {} }) => {
    const role = (name: string, behaviour: Behaviour): [string, Role] => [
      name,
      { behaviour, ports: ports[name] ?? [] },
    ];
    const charts = Object.entries(statecharts?.(policy) ?? {});
    const reducers = Object.entries(services?.(policy) ?? {});
    return [
      ...charts.map(([name, chart]) => role(name, statechartBehaviour(chart) as Behaviour)),
      ...reducers.map(([name, service]) => role(name, serviceBehaviour(service) as Behaviour)),
    ];
  });
  return Object.fromEntries(roles);
}

/** Every statechart of these parts, by the name under which actors are started. */
export const statechartsOf = (
  parts: readonly Part[],
  policy: Policy,
): { readonly [machine: string]: AnyStateMachine } =>
  Object.assign({}, ...parts.map(({ statecharts }) => statecharts?.(policy)));

/** Every service, by the same kind of name. */
export const servicesOf = (
  parts: readonly Part[],
  policy: Policy,
): { readonly [machine: string]: AnyService } =>
  Object.assign({}, ...parts.map(({ services }) => services?.(policy)));
