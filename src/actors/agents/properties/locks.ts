/** Load and the locks it closes. Source: seed 004, "Suffering", "Load locks"; rulings U2, U5, U11. */

import { changedFiles } from "../../../contract/changedFiles.ts";
import { worldPromises } from "../../../contract/promises.ts";
import type { LockPolicy } from "../../../machines/agents/engine/locks.ts";
import { decimal } from "../../../machines/agents/suffering/sufferingLines.ts";
import type { Carried } from "../../../machines/letter.ts";
import { MILLION } from "../../../machines/units.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";

/**
 * What a load locks; a threshold that is reached locks, a path out never does. It is written down a second time here, so
 * that what the engine says of locks is put to the test.
 */
function lockedAt(load: number, locks: LockPolicy): readonly string[] {
  if (!locks.enabled) return [];
  const listed: readonly string[] = [
    ...(load >= locks.constrained ? locks.constrainedLocks : []),
    ...(load >= locks.dominant ? locks.dominantLocks : []),
  ];
  const locked = listed.filter((name) => !isOpen(name, locks));
  return load >= locks.dominant && !locks.shellBypass ? [...locked, "shell_exec"] : locked;
}

/** Always available, whatever the load. */
const isPathOut = (name: string, locks: LockPolicy): boolean =>
  isOpen(name, locks) && (name !== "shell_exec" || locks.shellBypass);

const isOpen = (name: string, { pathOut }: LockPolicy): boolean =>
  (pathOut as readonly string[]).includes(name);

/** Everywhere a load is told: the teller, the agent it is about, and how much. */
const toldLoad = ({ event, from, to }: SeenDelivery): { key: string; load: number } | undefined => {
  const told = feltIn(event) ?? event;
  if (!("load" in told)) return undefined;
  const agent = "agent" in told ? told.agent : /^(?:agent|stressor)\/([^/#]+)/.exec(to)?.[1];
  return { key: `${from} ${agent}`, load: told.load };
};

/** What a model is shown of its agent's suffering; undefined where nothing is shown of it. */
const feltIn = (event: Carried) =>
  event.type === "llm.asked" &&
  (event.view.purpose === "goal.choose" || event.view.purpose === "plan")
    ? event.view
    : undefined;

/** Ours: an agent that the lock alone keeps locked for this many rests is locked for good. */
const HELD_RESTS = 10;

export const lockProperties = worldPromises({
  "locked-never-runs": {
    says: "A call to a capability that the caller's load has locked never runs.",
    source: "seed 004, Load locks; RULINGS U2",
    judge: ({ delivery: { event, letters, dueMs, seq }, agents }, { locks }) => {
      if (event.type !== "call.routed") return undefined;
      const { agent, capability } = event;
      const load = agents.load(agent, dueMs);
      if (!lockedAt(load, locks).includes(capability)) return undefined;
      const ran = letters.find(({ to }) => /^(files|kernel|port\/.*)$/.test(to));
      if (ran === undefined) return true;
      return `${agent}'s call of ${capability} ran (#${seq}) at a load of ${decimal(load)}, which locks it.`;
    },
  },
  "path-out-stays-open": {
    says: "A path-out capability is never refused by a lock, whatever the load.",
    source: "seed 004, Load locks",
    judge: ({ delivery: { event, to } }, { locks }) => {
      const isRefusal = event.type === "call.finished" && event.locked === true;
      if (!isRefusal && event.type !== "capability.locked") return undefined;
      const { capability } = event;
      if (capability === null || !isPathOut(capability, locks)) return true;
      const refused = event.type === "capability.locked" ? event.agent : to;
      return `${refused} was refused ${capability} by a lock, and it is a path out.`;
    },
  },
  "load-within-bounds": {
    says: "A load and a severity are whole millionths from 0 to 1.",
    source: "seed 004, Suffering; RULINGS U1, U2",
    judge: ({ delivery }) => {
      const { event, from } = delivery;
      const told = toldLoad(delivery);
      if (told === undefined) return undefined;
      const stressors = feltIn(event)?.stressors ?? [];
      const values = [told.load, ...stressors.map(({ severity }) => severity)];
      const wrong = values.find(
        (value) => !Number.isInteger(value) || value < 0 || value > MILLION,
      );
      return wrong === undefined ? true : `${from} told a load or severity of ${wrong} millionths.`;
    },
  },
  "load-falls-only-by-relief": {
    says: "Load never falls as long as no stressor is resolved.",
    source: "seed 004, Suffering; RULINGS U1, U4",
    watch: () => {
      const last = new Map<string, number>();
      return ({ delivery }) => {
        const { event, from, to } = delivery;
        const isRelief = event.type === "stressor.changed" && event.sinceMs === null;
        if (isRelief || event.type === "crisis.reset") {
          for (const key of last.keys()) if (key.startsWith(`${to} `)) last.delete(key);
          return undefined;
        }
        const told = toldLoad(delivery);
        if (told === undefined) return undefined;
        const before = last.get(told.key) ?? 0;
        last.set(told.key, told.load);
        if (told.load >= before) return true;
        return `${from} told a load of ${decimal(told.load)} after ${decimal(before)}, and nothing was resolved.`;
      };
    },
  },
  "U5-lock-feedback": {
    says: "No lock stays closed by the stressor alone that locks cause.",
    source: "RULINGS U5: capability_lock is caused by a lock that its own severity keeps closed",
    expected: "violated",
    watch: ({ locks, planner }) => {
      const heldMs = planner.heartbeatMs * HELD_RESTS;
      const since = new Map<string, number>();
      return ({ delivery: { event, dueMs }, agents }) => {
        if (!locks.enabled || event.type !== "call.requested") return undefined;
        const { agent } = event;
        const load = agents.load(agent, dueMs);
        const own = agents.load(agent, dueMs, "capability_lock");
        const kept = [locks.constrained, locks.dominant].find((at) => own < at && at <= load);
        if (kept === undefined) return void since.delete(agent);
        const from = since.get(agent) ?? dueMs;
        since.set(agent, from);
        if (dueMs - from < heldMs) return true;
        return (
          `${agent}'s load has stayed above ${decimal(kept)} for ${dueMs - from} ms, now ${decimal(load)}, although ` +
          `it suffers ${decimal(own)} without capability_lock: only the lock keeps the lock closed.`
        );
      };
    },
  },
  "U11-shell-writes": {
    says: "An agent whose load locks fs_write changes no file outside its memory.",
    source: "seed 004, “you literally can't”; RULINGS U11: shell_exec is always available",
    expected: "violated",
    judge: ({ delivery, agents }, { locks }) => {
      const { call } = agents;
      const changed = changedFiles(delivery).find((path) => !path.startsWith("/agentOS/memory/"));
      const isOver = delivery.event.type === "call.finished";
      if (call === undefined || (changed === undefined && !isOver)) return undefined;
      const load = agents.load(call.agent, delivery.dueMs);
      if (!lockedAt(load, locks).includes("fs_write")) return undefined;
      if (changed === undefined) return true;
      return (
        `${call.agent}, locked out of fs_write by a load of ${decimal(load)}, changed ${changed} ` +
        `through ${call.capability}.`
      );
    },
  },
});
