// The keeper of skills alone: files are a map, Python and the engine are answers written by hand.

import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import type { Letter, MailEvent } from "../../../src/machines/letter.ts";
import { type SkillBook, saveSkill } from "../../../src/machines/skills/skillBook.ts";
import { skillKeeperService } from "../../../src/machines/skills/skillKeeper.ts";
import type { KeeperState } from "../../../src/machines/skills/skillListing.ts";
import {
  registryPath,
  registryText,
  SKILLS,
  skillPath,
} from "../../../src/machines/skills/skillStore.ts";
import { policyWith } from "../../builtIn.ts";

export const ENGINE = "engine";
export type Files = { [path: string]: string };

export const skillNamed = (name: string) => ({
  ...{ name, description: `Gets the ${name}.`, parametersSchema: {}, code: `print("${name}")\n` },
});

/** A store as a keeper leaves it. */
export function storeWith(names: readonly string[], store: "memory" | "sandbox" = "memory"): Files {
  const book = names.reduce<SkillBook>(
    (before, name) => saveSkill(before, skillNamed(name)).book,
    [],
  );
  const files = names.map((name): [string, string] => [
    skillPath(name, store),
    skillNamed(name).code,
  ]);
  return { ...Object.fromEntries(files), [registryPath(store)]: registryText(book) };
}

export function loneKeeper(files: Files = {}, set: { readonly [path: string]: PolicyValue } = {}) {
  const service = skillKeeperService(policyWith(set));
  const heard: MailEvent[] = [];
  const sent: Letter[] = [];
  let seq = 1;
  let isFull = false;
  const first = service.init({}, { nowMs: 0, seq, from: "kernel" });
  let state: KeeperState = first.state;

  /** Files answer at once, and the keeper's words to itself arrive. */
  function posted(letters: readonly Letter[]): void {
    for (const letter of letters) {
      sent.push(letter);
      const { to, event, ask } = letter;
      if (to === SKILLS) deliver(event, SKILLS);
      if (to !== "files") continue;
      const reply = served(event);
      if (ask === undefined) continue;
      const answer = isFull ? { ok: false, error: "the disk is full" } : { ok: true, ...reply };
      deliver({ type: "files.replied", ...answer }, "files", ask);
    }
  }

  function served(event: MailEvent): { readonly files?: Files } {
    if (event.type === "files.write" && !isFull) files[event.path] = event.text;
    if (event.type === "files.move") {
      files[event.to] = files[event.path] ?? "";
      delete files[event.path];
    }
    if (event.type === "files.delete") for (const path of event.paths) delete files[path];
    if (event.type !== "files.snapshot") return {};
    const isIn = (path: string) =>
      event.folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
    return { files: Object.fromEntries(Object.entries(files).filter(([path]) => isIn(path))) };
  }

  function deliver(event: MailEvent, from: string, key?: string): void {
    seq += 1;
    heard.push(event);
    const at = { nowMs: seq, seq, from, asked: true, ...(key !== undefined && { key }) };
    // A table of handlers by type, each with its own event.
    const handlers = service.on as {
      [type: string]: (
        before: KeeperState,
        event: object,
      ) => { readonly state: KeeperState; readonly letters: readonly Letter[] };
    };
    const done = handlers[event.type]?.(state, { ...event, at });
    if (done === undefined) throw new Error(`it does not know ${event.type}`);
    state = done.state;
    posted(done.letters);
  }

  posted(first.letters);
  const lastOf = <T extends MailEvent["type"]>(type: T) =>
    sent.findLast(({ event }) => event.type === type)?.event as
      | Extract<MailEvent, { type: T }>
      | undefined;
  const call = (capability: string, params: object = {}): void =>
    deliver(
      {
        ...{ type: "capability.called", agent: "cedar", cycle: 1, capability, intent: "do it" },
        params: params as Record<string, string>,
      },
      ENGINE,
    );
  /** The answer of Python to the last call: printed, failed, or broken off. */
  const ran = (
    how: "well" | "badly" | "late" | "silently" | "left",
    stdout = how === "well" ? '{"n": 1}' : "",
  ): void => {
    const key = sent.findLast(({ to }) => to === "port/sandbox.run")?.ask ?? "";
    const result = {
      ...{ exitCode: how === "badly" ? 1 : 0, stdout },
      stderr: how === "badly" ? "KeyError: 'x'" : "",
    };
    const late = { type: "sandbox.replied", ok: false, timedOut: true } as const;
    const left = { type: "sandbox.replied", ok: false, exitCode: 7, error: "Left: it" } as const;
    const changed = { "/agentOS/a.txt": "1" };
    const ended = { type: "sandbox.replied", ok: true, result, changed } as const;
    const event = how === "late" ? late : how === "left" ? left : ended;
    deliver(event, "port/sandbox.run", key);
  };
  return {
    ...{ files, sent, heard, deliver, lastOf, call, ran },
    /** No file can be written from now on. */
    fill: () => {
      isFull = true;
    },
    state: () => state,
    row: (name: string) => state.book.find((row) => row.name === name),
    /** What the registry on disk says. */
    written: () => JSON.parse(files[registryPath("memory")] ?? "{}") as object,
    listed: () => lastOf("entries.listed")?.entries.map(({ name }) => name),
  };
}
