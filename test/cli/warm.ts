// Command lines in processes that are used again and again.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const hostFile = fileURLToPath(new URL("./warmHost.ts", import.meta.url));

/** The environment of every command line that names none of its own. */
export const plain = {
  ...process.env,
  // Halves the time that a process takes to start.
  NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled"),
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
};

/** As that of the tests themselves: collecting garbage took a seventh of a host's time. */
const HEAP = ["--min-semi-space-size=32", "--max-semi-space-size=64"];

/** The variable that names the port at which sharedHosts.ts takes orders. */
export const HOSTS_AT = "GHOSTLIGHT_TEST_HOSTS";

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Order {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What stands on standard input. */
  readonly input: string;
}

export interface Numbered extends Order {
  readonly id: number;
}

/** What ends the output of an order, on stdout and on stderr. */
export const endMark = (id: number): string => `\u0000end ${id}\u0000`;

/** Has the order carried out by one of the hosts that all test files share. */
export async function byHosts(order: Order): Promise<Said> {
  const socket = connect({ port: Number(process.env[HOSTS_AT]), host: "127.0.0.1" });
  await once(socket, "connect");
  socket.end(JSON.stringify(order));
  return JSON.parse(await text(socket)) as Said;
}

export class WarmHost {
  #child: ChildProcess | undefined;
  #orders = 0;

  /** One at a time. A host that ends with its order is replaced. */
  run(order: Order): Promise<Said> {
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
      child.stdout?.on("data", (more: string) => {
        said.stdout += more;
        look();
      });
      child.stderr?.on("data", (more: string) => {
        said.stderr += more;
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
      child.send({ id, ...order } satisfies Numbered);
    });
  }

  end(): void {
    this.#child?.disconnect();
  }

  #living(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const child = spawn(process.execPath, [...HEAP, hostFile], {
      env: plain,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    child.stdout?.setEncoding("utf8");
    child.stderr?.setEncoding("utf8");
    this.#child = child;
    return child;
  }
}
