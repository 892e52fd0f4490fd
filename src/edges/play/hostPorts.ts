/** The ports of the parts that the host serves. */

import type { EdgePart, Host, HostPort } from "../../contract/edge/edgePart.ts";
import type { Ports } from "../../contract/part.ts";

interface Lists {
  readonly edgeParts: readonly EdgePart[];
}

export const hostPorts = ({ edgeParts }: Lists): ReadonlyMap<string, HostPort> =>
  new Map(edgeParts.flatMap(({ ports = {} }) => Object.entries(ports)));

export const servedByHost = (lists: Lists, host: Host): Ports =>
  Object.fromEntries([...hostPorts(lists)].map(([port, { serve }]) => [port, serve(host)]));
