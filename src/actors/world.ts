/** The opening of a run: who is started, and what the outside world will send. */
import {
  emptyProfile,
  profilePath,
  profileText,
  type StartingProfile,
} from "../machines/agents/agent/profile.ts";
import { TOOLS_FOLDER } from "../machines/agents/engine/state.ts";
import { type Letter, type MailEvent, startActor } from "../machines/letter.ts";
import type { Kernel } from "../substrate/kernel.ts";
import { standIn } from "../substrate/scriptedTools.ts";
import {
  openSynt,
  type SyntEvent,
  type SyntWorld,
  syntLetter,
  TELOS,
  TELOS_PATH,
} from "./synt/syntStage.ts";

export interface Stage {
  readonly synt?: SyntWorld;
  /** When virtual time 0 is, in ms since 1970. */
  readonly startsAtMs: number;
  readonly agents: readonly string[];
  /** Who they are before they start: their daemon reads it from their files, as after a restart. */
  readonly profiles?: { readonly [agent: string]: StartingProfile };
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly files: { readonly [path: string]: string };
  readonly events: readonly OutsideEvent[];
}

/** What the outside does, and when. */
export type OutsideEvent = { readonly id: string; readonly atMs: number } & (
  | { readonly does: "host.message"; readonly agent: string; readonly text: string }
  | {
      readonly does: "outside.signal";
      readonly text: string;
      /** Who notices it; everybody when absent. */
      readonly agents?: readonly string[];
    }
  | { readonly does: "files.write"; readonly path: string; readonly text: string }
  | { readonly does: "files.move"; readonly path: string; readonly to: string }
  | { readonly does: "files.delete"; readonly path: string }
  | { readonly does: "daemon.restart" }
  | SyntEvent
);

/** Posts everything that comes from outside. The files are there before the daemon reads them. */
export function openStage(kernel: Kernel, stage: Stage): void {
  const profiles = Object.entries(stage.profiles ?? {}).map(([agent, profile]) => [
    profilePath(agent),
    profileText({ ...emptyProfile, ...profile }),
  ]);
  const files = {
    ...(stage.synt && { [TELOS_PATH]: TELOS }),
    ...stage.files,
    ...Object.fromEntries([...stage.tools.flatMap(toolFiles), ...profiles]),
  };
  kernel.postFromOutside("stage", startActor("files", "files", { files }));
  if (stage.synt) openSynt(kernel, stage.synt, stage.startsAtMs);
  if (stage.agents.length > 0)
    kernel.postFromOutside(
      "stage",
      startActor("daemon", "daemon", {
        agents: stage.agents,
        startsAtMs: stage.startsAtMs,
      }),
    );
  for (const event of stage.events) {
    kernel.postFromOutside(event.id, { ...letterOf(event, stage), delayMs: event.atMs });
  }
}

function letterOf(event: OutsideEvent, stage: Stage): Letter {
  switch (event.does) {
    case "host.message":
      return toDaemon({ type: "host.message", agent: event.agent, text: event.text });
    case "outside.signal": {
      const { text, agents = stage.agents } = event;
      return toDaemon({ type: "outside.signal", agents, text });
    }
    case "daemon.restart":
      return toDaemon({ type: "daemon.restarted" });
    case "files.write":
      return toFiles({ type: "files.write", path: event.path, text: event.text });
    case "files.move":
      return toFiles({ type: "files.move", path: event.path, to: event.to });
    case "files.delete":
      return toFiles({ type: "files.delete", paths: [event.path] });
    default:
      return syntLetter(event);
  }
}

const toDaemon = (event: MailEvent): Letter => ({ to: "daemon", event });
const toFiles = (event: MailEvent): Letter => ({ to: "files", event });

/** The two files of a tool, as seed 000, step 6, gives them. The code is the sandbox's stand-in. */
function toolFiles({ name, description }: Stage["tools"][number]): [string, string][] {
  const spec = {
    name,
    description,
    inputSchema: { type: "object", properties: {}, additionalProperties: true },
    proposed_by: "agent",
  };
  return [
    [`${TOOLS_FOLDER}/${name}.py`, standIn(name)],
    [`${TOOLS_FOLDER}/${name}.json`, `${JSON.stringify(spec, null, 2)}\n`],
  ];
}
