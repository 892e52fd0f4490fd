/** Making a capability, and taking one out of use. Source: seed 000; seed 004, "Load locks". */
import { type Letter, startActor } from "../../../letter.ts";
import { type Builtin, failed, isText, needs } from "../builtin.ts";
import { ARCHIVE_FOLDER, TOOLS_FOLDER } from "../state.ts";
import { toFiles } from "./files.ts";

/** Parameters that are no texts are missing ones: the nine steps say what becomes of that. */
export const synthesizeCapability: Builtin = {
  name: "synthesize_capability",
  description:
    "Synthesizes a capability: validates a Python implementation, deploys it under name as a new " +
    "tool, hot-reloads the engine.",
  takes: "name: string, description: string, implementation: string",
  isLockable: true,
  output: "possible",
  begin({ agent, params, address, startsAtMs, policy: { self } }) {
    const text = (name: string): string | null => {
      const value = params[name];
      return isText(value) ? value : null;
    };
    const input = {
      agent,
      name: text("name") ?? "",
      description: text("description") ?? "",
      implementation: text("implementation"),
      code: text("code"),
      caller: self,
      engine: self,
      startsAtMs,
    };
    return { letter: startActor("capabilitySynthesis", address, input) };
  },
};

export const retireCapability: Builtin = {
  name: "retire_capability",
  description: "Retires a capability by name: unregisters the tool, archives its spec and code.",
  takes: "name: string",
  isLockable: true,
  begin({ key, params: { name } }) {
    if (!isText(name) || !/^[a-z0-9_]{1,60}$/.test(name)) return needs("name");
    return toFiles(key, {
      type: "files.move",
      path: `${TOOLS_FOLDER}/${name}.json`,
      to: `${ARCHIVE_FOLDER}/${name}.json`,
    });
  },
  // The spec has moved, or was not there; the code follows it.
  replied({ params }, _seq, { ok }) {
    const capability = String(params["name"]);
    if (!ok) {
      return { outcome: failed(`KeyError: no synthesized capability is called ${capability}`) };
    }
    const code: Letter = {
      to: "files",
      event: {
        type: "files.move",
        path: `${TOOLS_FOLDER}/${capability}.py`,
        to: `${ARCHIVE_FOLDER}/${capability}.py`,
      },
    };
    return {
      outcome: { ok: true, result: { ok: true, capability, status: "retired" } },
      letters: [code],
    };
  },
};
