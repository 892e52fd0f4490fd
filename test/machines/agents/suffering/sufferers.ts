// A ledger, the files and everybody's stressors on a real kernel; agents and engine are letters
// posted by hand, and what goes to them is in the log.

import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import type { Acquaintances } from "../../../../src/machines/agents/suffering/goalLedger.ts";
import {
  type EventType,
  type Mail,
  type MailOf,
  startActor,
} from "../../../../src/machines/letter.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying } from "../../../mail.ts";
import { village } from "../../village.ts";

/** What the ledger is told from outside of it. */
type Told =
  | "goal.ended"
  | "work.claimed"
  | "cycle.ended"
  | "plan.judged"
  | "message.judged"
  | "suffering.reported"
  | "capability.locked"
  | "peer.referenced"
  | "stressor.changed";

interface Past {
  readonly since?: { readonly [stressor: string]: number };
  readonly unseen?: readonly object[];
  readonly files?: { readonly [path: string]: string };
  readonly knows?: Acquaintances;
}

export function sufferers(
  overrides: { readonly [path: string]: PolicyValue } = {},
  past: Past = {},
) {
  const { enabled } = policyWith(overrides).stressors;
  const world = village({ policy: overrides });
  const stressors = ["cedar", "vault"].flatMap((agent) =>
    enabled.map((type) => ({
      agent,
      type,
      address: `stressor/${agent}/${type}`,
      agentAddress: `agent/${agent}`,
    })),
  );
  const { unseen = [], files = {}, knows = {} } = past;
  const born = (machine: string, address: string, input: object) =>
    world.send(startActor(machine, address, input));
  born("files", "files", { files });
  born("goalLedger", "goalLedger", { ended: [], claims: [], stressors, unseen, knows });
  for (const { address, ...one } of stressors) {
    const since = (one.agent === "cedar" ? past.since?.[one.type] : undefined) ?? null;
    born("stressor", address, { ...one, engine: "engine", ledger: "goalLedger", since });
  }
  world.wait(0);

  const tell = (event: MailOf<Told>): void => {
    world.send({ to: "goalLedger", event });
    world.wait(0);
  };
  let cycle = 0;
  let n = 0;
  return {
    world,
    tell,
    /** A cycle of cedar on a goal of this progress, or without one. */
    cycle(fields: Partial<Mail["cycle.ended"]> = {}): void {
      tell({
        type: "cycle.ended",
        agent: "cedar",
        cycle: ++cycle,
        goal: null,
        n: null,
        progress: 0,
        load: 0,
        chose: false,
        ...fields,
      });
    },
    goal(status: "completed" | "abandoned", fields: Partial<Mail["goal.ended"]> = {}): void {
      tell({
        type: "goal.ended",
        agent: "cedar",
        n: ++n,
        status,
        text: "Write the page",
        artifact: `/agentOS/workspace/cedar/${n}.md`,
        misses: 0,
        failedSteps: 0,
        reason: null,
        notes: [],
        facts: [],
        ...fields,
      });
    },
    feels: (agent = "cedar"): string[] =>
      enabled.filter(
        (type) =>
          world.context<{ sinceMs: number | null }>(`stressor/${agent}/${type}`).sinceMs !== null,
      ),
    /** Letters of a type, as [to, event]. */
    letters: <K extends EventType>(type: K) =>
      carrying(world.log, type).map(({ to, event }) => ({ to, event })),
  };
}

/** A world with these stressors alone. */
export const only = (...types: readonly string[]) => ({ "stressors.enabled": types });
