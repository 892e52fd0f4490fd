// An engine with its files, and callers who wait for their answers.
import type { EngineState } from "../../../../src/machines/agents/engine/state.ts";
import { type Json, type MailOf, startActor } from "../../../../src/machines/letter.ts";
import type { Delivery } from "../../../../src/substrate/envelope.ts";
import { mailOf } from "../../../mail.ts";
import { type VillageOptions, village } from "../../village.ts";

export const GHOST = "safe_file_executor";
export const BROKEN = "/agentOS/memory/broken_tools.json";
export const PAGE = "/agentOS/workspace/cedar/1.md";

const TOOLS_FOLDER = "/agentOS/tools/dynamic";
export const specPath = (name: string): string => `${TOOLS_FOLDER}/${name}.json`;
export const codePath = (name: string): string => `${TOOLS_FOLDER}/${name}.py`;
export const spec = (description: string): string => JSON.stringify({ description });
export const ghostSpec = spec("secure file write operations");

/** Both files of a tool. */
export const tool = (name: string, description: string): { readonly [path: string]: string } => ({
  [specPath(name)]: spec(description),
  [codePath(name)]: `def ${name}(**kwargs): ...`,
});

/** Nobody keeps a ledger here. */
const inputOf = (address: string, files: object) => ({
  address,
  ledger: "goalLedger",
  agents: ["cedar", "cipher", "vault"],
  startsAtMs: 0,
  files,
});

type Finished = MailOf<"call.finished"> & { readonly delivery: Delivery };

export interface WorkshopOptions extends VillageOptions {
  readonly files?: { readonly [path: string]: string };
}

export function workshop(options: WorkshopOptions = {}) {
  const here = village(options);
  const files = options.files ?? {};
  here.send(startActor("files", "files", { files }));
  here.send(startActor("engine", "engine", inputOf("engine", files)));
  here.wait(0);
  let engine = "engine";

  const call = (
    intent: string,
    params: { readonly [name: string]: Json } = {},
    who: { agent?: string; cycle?: number } = {},
  ): Finished => {
    const { agent = "cedar", cycle = 1 } = who;
    const delivery = here.ask(engine, { type: "call.requested", agent, cycle, intent, params });
    return { ...mailOf(delivery, "call.finished"), delivery };
  };

  return {
    ...here,
    call,
    /** The call that this scenario is about. */
    write: (who?: { agent?: string; cycle?: number }, path: string = PAGE) =>
      call("file write", { path, content: "x" }, who),
    put: (path: string, text: string) => {
      here.send({ to: "files", event: { type: "files.write", path, text } });
      here.wait(0);
    },
    move: (path: string, to: string) => {
      here.send({ to: "files", event: { type: "files.move", path, to } });
      here.wait(0);
    },
    remove: (...paths: string[]) => {
      here.send({ to: "files", event: { type: "files.delete", paths } });
      here.wait(0);
    },
    /** Stops the engine and starts another from the files alone. */
    restart: () => {
      here.send({ to: engine, event: { type: "daemon.stopped" } });
      engine = `${engine}#2`;
      const folders = [TOOLS_FOLDER, "/agentOS/memory"];
      const reply = here.ask("files", { type: "files.snapshot", folders });
      const { files: kept = {} } = mailOf(reply, "files.replied");
      here.send(startActor("engine", engine, inputOf(engine, kept)));
      here.wait(0);
    },
    state: () => here.context<EngineState>(engine),
    names: () =>
      here
        .context<EngineState>(engine)
        .entries.filter(({ builtin }) => !builtin)
        .map(({ name }) => name),
    broken: () => JSON.parse(here.file(BROKEN) ?? "null") as Json,
    /** Deliveries that asked the sandbox to run something. */
    runs: () => here.log.filter(({ to }) => to === "port/sandbox.run"),
  };
}
