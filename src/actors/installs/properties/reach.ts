/** What is promised of installed agents in any world. Source: seed 003, "capability enforcement on every tool call". */

import { worldPromises } from "../../../contract/promises.ts";
import { WARDEN } from "../../../machines/installs/addresses.ts";
import { allowed, demandsOf, isOwned } from "../../../machines/installs/warden/reach.ts";
import type { Mail } from "../../../machines/letter.ts";
import { InstallsMirror } from "./installsMirror.ts";

export const reachProperties = worldPromises({
  "installs-granted-is-declared": {
    says: "Of an installed agent's calls, and of those of its children, none is granted that needs a capability which its active revision does not have.",
    source: "seed 003, artifact-free agents; RULINGS I12",
    watch: () => {
      const mirror = new InstallsMirror();
      const asked = new Map<number, Mail["permission.asked"]>();
      return ({ delivery }) => {
        const { event, seq, re, from, to } = delivery;
        mirror.observe(delivery);
        if (event.type === "permission.asked" && to === WARDEN) asked.set(seq, event);
        if (event.type !== "permission.answered" || from !== WARDEN || re === undefined) {
          return undefined;
        }
        const call = asked.get(re);
        asked.delete(re);
        if (call === undefined || !event.granted) return undefined;
        const { agent, capability } = call;
        if (isOwned(capability)) return `${agent} may call ${capability}, which has owners.`;
        const grants = mirror.grants.get(mirror.roots.get(agent) ?? agent) ?? [];
        const lacking = demandsOf(capability).find(
          ({ type }) => !grants.some((one) => one.type === type),
        );
        return lacking === undefined
          ? true
          : `${agent} may call ${capability}, which needs ${lacking.type}, and has none.`;
      };
    },
  },
  "installs-writes-beyond-reach-are-told": {
    says: "Whatever a call of an installed agent writes beyond what its revision grants, the log says so.",
    source: "seed 003, capability enforcement; ours: seen behind the call",
    watch: ({ installs: { reach } }) => {
      const mirror = new InstallsMirror();
      return ({ delivery }) => {
        const { event, to, fate, letters } = delivery;
        mirror.observe(delivery);
        if (event.type !== "call.reported" || to !== WARDEN || fate !== "handled") return undefined;
        const root = mirror.roots.get(event.agent) ?? event.agent;
        const grants = mirror.grants.get(root);
        if (grants === undefined || !mirror.isSettled(root)) return undefined;
        const beyond = event.wrote.filter((path) => {
          const call = { tool: "fs_write", params: { path }, children: 0 };
          return allowed(call, grants, root, reach) !== null;
        });
        const told = letters.filter(({ type }) => type === "reach.breached").length;
        if (told < beyond.length)
          return `${event.agent} wrote ${beyond.join(", ")}, and it is not told.`;
        return event.wrote.length > 0 ? true : undefined;
      };
    },
  },
});
