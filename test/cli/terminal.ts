// A command on a terminal of its own: `script` gives it one, and an emulator shows what a person would see.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import xterm from "@xterm/headless";
import { newFolder } from "../folders.ts";
import { program } from "./ghostlight.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Bytes of a program as they stand on a screen. */
export class Emulator {
  readonly #terminal: xterm.Terminal;

  constructor({ columns: cols, rows }: Size) {
    // Node's own terminals turn a line feed into both.
    this.#terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 1000 });
  }

  write(text: string): Promise<void> {
    return new Promise((done) => this.#terminal.write(text, done));
  }

  resize({ columns, rows }: Size): void {
    this.#terminal.resize(columns, rows);
  }

  /** Everything that was ever shown and is still there, without the empty lines at its end. */
  text(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, y) =>
      active.getLine(y)?.translateToString(true),
    );
    return lines.join("\n").trimEnd();
  }

  /** What of it has not scrolled away. */
  visible(): string {
    const { active } = this.#terminal.buffer;
    return this.text().split("\n").slice(active.baseY).join("\n");
  }

  cursor(): { readonly column: number; readonly row: number } {
    const { cursorX: column, cursorY, baseY } = this.#terminal.buffer.active;
    return { column, row: baseY + cursorY };
  }
}

export interface OnTerminal {
  readonly screen: Emulator;
  /** All that the command wrote. */
  raw(): string;
  /** As if typed; `\u0003` is Ctrl-C. */
  type(text: string): void;
  resize(size: Size): Promise<void>;
  readonly ended: Promise<number | null>;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export interface Started extends Size {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** A file for what goes to stdout; the terminal when absent. */
  readonly stdout?: string;
  /** Another program than `src/cli/main.ts`, and another Node. */
  readonly command?: readonly string[];
}

export function onTerminal(args: readonly string[], options: Started): OnTerminal {
  const { columns, rows, cwd, env, stdout, command = [process.execPath, program] } = options;
  const screen = new Emulator({ columns, rows });
  const named = join(newFolder(), "tty");
  writeFileSync(named, "");
  const into = stdout === undefined ? "" : ` > ${quoted(stdout)}`;
  const line = `${[...command, ...args].map(quoted).join(" ")}${into}`;
  const shell = `stty cols ${columns} rows ${rows}; tty > ${quoted(named)}; exec ${line}`;
  const child = spawn("script", ["-qefc", shell, "/dev/null"], {
    cwd,
    env: { ...process.env, TERM: "xterm-256color", NO_COLOR: undefined, ...env },
  });
  let raw = "";
  let shown: Promise<void> = Promise.resolve();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
    shown = shown.then(() => screen.write(text));
  });
  const ended = new Promise<number | null>((done, failed) => {
    child.on("error", failed).on("close", (code) => shown.then(() => done(code)));
  });
  return {
    screen,
    raw: () => raw,
    type: (text) => void child.stdin.write(text),
    async resize(size) {
      // Just after something was drawn: what is drawn next is drawn for the new size.
      await new Promise((done) => child.stdout.once("data", done));
      await shown;
      const tty = readFileSync(named, "utf8").trim();
      const set = ["-F", tty, "cols", String(size.columns), "rows", String(size.rows)];
      spawnSync("stty", set);
      screen.resize(size);
    },
    ended,
  };
}
