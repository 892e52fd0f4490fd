// Command lines in processes that are used again and again.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Said } from "./ghostlight.ts";

const hostFile = fileURLToPath(new URL("./warmHost.ts", import.meta.url));

export interface Order {
  readonly id: number;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** What ends the output of an order, on stdout and on stderr. */
export const endMark = (id: number): string => `\u0000end ${id}\u0000`;

export class WarmHost {
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #orders = 0;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** One at a time. A host that ends with its order is replaced. */
  run(order: Omit<Order, "id">): Promise<Said> {
    const child = this.#living();
    const id = ++this.#orders;
    const mark = endMark(id);
    const said = { stdout: "", stderr: "" };
    return new Promise((done) => {
      let code: number | null | undefined;
      const end = (): void => {
        child.removeAllListeners();
        child.stdout?.removeAllListeners("data");
        child.stderr?.removeAllListeners("data");
        done({
          code: code ?? null,
          stdout: said.stdout.replace(mark, ""),
          stderr: said.stderr.replace(mark, ""),
        });
      };
      const look = (): void => {
        if (code !== undefined && said.stdout.endsWith(mark) && said.stderr.endsWith(mark)) end();
      };
      child.stdout?.on("data", (text: string) => {
        said.stdout += text;
        look();
      });
      child.stderr?.on("data", (text: string) => {
        said.stderr += text;
        look();
      });
      child.on("message", (answer: { readonly id: number; readonly code: number }) => {
        code = answer.code;
        look();
      });
      child.on("close", (ended: number | null) => {
        this.#child = undefined;
        code = ended;
        end();
      });
      child.send({ id, ...order });
    });
  }

  #living(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const child = spawn(process.execPath, [hostFile], {
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    child.stdout?.setEncoding("utf8");
    child.stderr?.setEncoding("utf8");
    this.#child = child;
    return child;
  }
}
