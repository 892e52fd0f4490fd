/** How the ports that every world has say the answers of tools: which tool a question calls, and what came of it. */
import { defined } from "../machines/defined.ts";
import type { Carried, EventType, Json, MailEvent, MailOf } from "../machines/letter.ts";
import { sortedJson } from "../machines/sortedJson.ts";
import type { ToolAnswer } from "./faults.ts";

interface ToolPort {
  /** The tool that is called; undefined of a question that calls none. */
  readonly tool: (asked: Carried) => string | undefined;
  /** Undefined of what is no answer of a tool. */
  readonly read: (replied: Carried) => ToolAnswer | undefined;
  /** A reply with this answer, and with what `replied` says that the tool changed; it changed nothing where it did not run. */
  readonly written: (answer: ToolAnswer, replied?: Carried) => MailEvent;
}

const answered = (ok: boolean, result: Json | undefined, error: string | undefined): ToolAnswer =>
  ok ? { ok, result: result ?? null } : { ok, error: error ?? "" };

const ofType = <T extends EventType>(event: Carried | undefined, type: T): Partial<MailOf<T>> =>
  (event?.type === type ? event : {}) as Partial<MailOf<T>>;

export const TOOL_PORTS: { readonly [port: string]: ToolPort } = {
  "port/sandbox.run": {
    tool: (asked) =>
      asked.type === "sandbox.run" && asked.purpose === "call" ? asked.name : undefined,
    read: (replied) =>
      replied.type === "sandbox.replied"
        ? answered(replied.ok, replied.result, replied.error)
        : undefined,
    written: (answer, replied) => {
      const { changed, created, functionName } = ofType(replied, "sandbox.replied");
      return defined<MailOf<"sandbox.replied">>({
        ...{ type: "sandbox.replied", ...answer, changed, created, functionName },
        isNone: answer.ok ? answer.result === null : undefined,
      });
    },
  },
  "port/tool.call": {
    tool: (asked) => (asked.type === "tool.called" ? asked.purpose : undefined),
    read: (replied) =>
      replied.type === "tool.replied"
        ? answered(replied.ok, replied.result, replied.error)
        : undefined,
    written: (answer, replied) => {
      const { changed } = ofType(replied, "tool.replied");
      return defined<MailOf<"tool.replied">>({ type: "tool.replied", ...answer, changed });
    },
  },
  "port/shell.run": {
    tool: (asked) => (asked.type === "shell.run" ? "shell_exec" : undefined),
    read: (replied) =>
      replied.type === "shell.replied" && replied.fault === undefined
        ? answered(replied.exitCode === 0, replied.stdout, replied.stderr)
        : undefined,
    written: (answer, replied) => {
      const { changed, created, reads } = ofType(replied, "shell.replied");
      return defined<MailOf<"shell.replied">>({
        ...{ type: "shell.replied", changed, created, reads },
        ...(answer.ok
          ? { exitCode: 0, stdout: textOf(answer.result), stderr: "" }
          : { exitCode: 1, stdout: "", stderr: answer.error }),
      });
    },
  },
  // An executor says whether it went well, and no more.
  "port/executor.run": {
    tool: (asked) => (asked.type === "executor.run" ? asked.name : undefined),
    read: (replied) =>
      replied.type === "executor.ended" ? answered(replied.ok, null, replied.error) : undefined,
    written: (answer, replied) => {
      const { cents = 0 } = ofType(replied, "executor.ended");
      return answer.ok
        ? { type: "executor.ended", ok: true, cents }
        : { type: "executor.ended", ok: false, cents, error: answer.error };
    },
  },
};

const textOf = (result: Json): string =>
  result === null ? "" : typeof result === "string" ? result : sortedJson(result);
