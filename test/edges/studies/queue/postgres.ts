// A PostgreSQL server of a test's own, from Debian's packages, in a temporary folder.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { newFolder } from "../../../folders.ts";

const DEBIAN = "/usr/lib/postgresql";
const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort() : [];
const programs = join(DEBIAN, versions.at(-1) ?? "none", "bin");

export const isPostgresThere = existsSync(join(programs, "postgres"));

export const PASSWORD = "a secret that nothing shows";

/** It refuses to run as root. */
const asOther: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0
    ? (() => {
        const [uid = "", gid = ""] = ["-u", "-g"].map((which) =>
          isPostgresThere ? execFileSync("id", [which, "postgres"], { encoding: "utf8" }) : "0",
        );
        return { uid: Number(uid), gid: Number(gid) };
      })()
    : {};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });

const keyOf = (certificate: string): string => `${certificate}.key`;

/** Which nobody vouches for but itself. */
function certificateIn(folder: string): string {
  const file = join(folder, "server.pem");
  const made =
    "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1";
  execFileSync("openssl", [...made.split(" "), "-keyout", keyOf(file), "-out", file], {
    ...asOther,
    stdio: "ignore",
  });
  return file;
}

export class Postgres {
  readonly #data: string;
  readonly #port: number;
  /** Of a server that speaks TLS. */
  readonly certificate: string | undefined;
  #server: ChildProcess | undefined;

  private constructor(data: string, port: number, certificate: string | undefined) {
    this.#data = data;
    this.#port = port;
    this.certificate = certificate;
  }

  static async start({ tls = false } = {}): Promise<Postgres> {
    const folder = newFolder();
    const [data, secret] = [join(folder, "data"), join(folder, "secret")];
    writeFileSync(secret, PASSWORD);
    const { uid, gid } = asOther;
    if (uid !== undefined && gid !== undefined) {
      for (const one of [folder, secret]) chownSync(one, uid, gid);
    }
    const certificate = tls ? certificateIn(folder) : undefined;
    const args = ["-D", data, "-U", "postgres", "-A", "scram-sha-256", "--no-sync"];
    execFileSync(join(programs, "initdb"), [...args, "--pwfile", secret], {
      ...asOther,
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const own = new Postgres(data, await freePort(), certificate);
    await own.up();
    return own;
  }

  /** Without its password. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  get secretUrl(): string {
    const url = new URL(this.url);
    url.password = PASSWORD;
    return url.href;
  }

  async up(): Promise<void> {
    const args = ["-D", this.#data, "-p", String(this.#port), "-h", "127.0.0.1", "-k", this.#data];
    const files = this.certificate;
    const tls =
      files === undefined
        ? []
        : ["ssl=on", `ssl_cert_file=${files}`, `ssl_key_file=${keyOf(files)}`];
    const options = tls.flatMap((one) => ["-c", one]);
    const server = spawn(join(programs, "postgres"), [...args, ...options], {
      ...asOther,
      cwd: this.#data,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      let said = "";
      server.on("exit", () => reject(new Error(said)));
      server.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes("ready to accept connections")) resolve();
      });
    });
  }

  /** Ends every connection at once. */
  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGINT");
    await ended;
  }

  /** What `psql` prints of a query, without its headings. */
  query(sql: string, database = "postgres"): string {
    const url = Object.assign(new URL(this.url), { pathname: `/${database}` }).href;
    return execFileSync("psql", ["-At", url, "-c", sql], {
      encoding: "utf8",
      env: { ...process.env, PGPASSWORD: PASSWORD },
    }).trim();
  }
}
