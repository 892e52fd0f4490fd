/** What a program connects to by itself, past the gateway, as Linux tells of its processes. Other systems tell nothing. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setInterval } from "node:timers";

/** Ours: a connection that is shorter may go unseen, so that what is seen is "at least". */
const LOOK_MS = 100;

/**
 * `base` is the gateway's address, which the program has in its variables: so a process is known whose parent is gone. `standIns`
 * are processes whose connections are recorded. Looks until it is stopped; then, as `host:port` in the order in which they were
 * seen, null where nothing can be seen.
 */
export function watchConnections(
  pid: number,
  base: string,
  standIns: ReadonlySet<number>,
): () => readonly string[] | null {
  const seen = new Set<string>();
  const gatewayPort = Number(new URL(base).port);
  const orphans = new Orphans(base);
  /** Sockets of which the system's tables will tell nothing new. */
  let settled: ReadonlySet<string> = new Set();
  let canSee = false;
  const look = (): void => {
    const all = new Set([pid, ...orphans.look()].flatMap(processesUnder));
    const sockets = new Set([...all].flatMap(socketsOf));
    // The tables take the system many times as long as the rest, and waiting is most of what a program does.
    if (canSee && [...sockets].every((inode) => settled.has(inode))) return;
    const rows = tablesOf(pid);
    if (rows === null) return;
    canSee = true;
    for (const { host, port } of connectionsIn(rows, sockets, standIns))
      if (port !== gatewayPort) seen.add(`${host}:${port}`);
    const told = new Set(rows.flatMap(({ state, inode }) => (state === CLOSED ? [] : inode)));
    for (const inode of unixSocketsOf(pid)) told.add(inode);
    settled = new Set([...sockets].filter((inode) => settled.has(inode) || told.has(inode)));
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return canSee ? [...seen] : null;
  };
}

/** Processes with a mark in their variables. Each is asked once, while it is young: asking is all that it costs. */
class Orphans {
  readonly #mark: string;
  #known = new Map<string, boolean>();

  constructor(mark: string) {
    this.#mark = mark;
  }

  look(): readonly number[] {
    const pids = numbersIn("/proc");
    this.#known = new Map(pids.map((pid) => [pid, this.#known.get(pid) ?? this.#isMarked(pid)]));
    return pids.filter((pid) => this.#known.get(pid)).map(Number);
  }

  #isMarked = (pid: string): boolean =>
    texts(`/proc/${pid}/environ`)?.includes(this.#mark) ?? false;
}

const numbersIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // Another system.
  }
};

interface Remote {
  readonly host: string;
  readonly port: number;
}

interface Row {
  readonly local: Remote;
  readonly remote: Remote;
  readonly state: string;
  readonly inode: string;
}

/** What is connected from where `pid` runs; null where the system does not tell. */
function tablesOf(pid: number): readonly Row[] | null {
  const [four, six] = ["tcp", "tcp6"].map((table) => rowsOf(`/proc/${pid}/net/${table}`));
  return four || six ? [...(four ?? []), ...(six ?? [])] : null;
}

/** Those that these sockets have open, but for what the program serves itself. */
function connectionsIn(
  rows: readonly Row[],
  sockets: ReadonlySet<string>,
  standIns: ReadonlySet<number>,
): readonly Remote[] {
  const own = rows.filter(({ inode }) => sockets.has(inode));
  // Whoever connects to a port that the program listens on came to it.
  const served = new Set(own.flatMap(({ state, local }) => (state === LISTENS ? local.port : [])));
  const recorded = new Set([...standIns].flatMap(socketsOf));
  const isWithin = ({ host, port }: Remote): boolean => LOOPBACK.test(host) && served.has(port);
  return own.flatMap(({ state, local, remote, inode }) =>
    (state === OPEN || state === OPENS) &&
    !served.has(local.port) &&
    !isWithin(remote) &&
    !recorded.has(inode)
      ? remote
      : [],
  );
}

const LOOPBACK = /^(?:127\.|\[(?:0:){7}1\]$)/;
const [OPEN, OPENS, CLOSED, LISTENS] = ["01", "02", "07", "0A"];

/** A process and all that it started, whose parents live; where the system does not tell, the process alone. */
export function processesUnder(pid: number): readonly number[] {
  const children = tasksOf(pid).flatMap((task) =>
    (texts(`/proc/${pid}/task/${task}/children`) ?? "").split(" ").filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => processesUnder(Number(child)))];
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // Ended meanwhile, or another system.
  }
}

/** Their inodes. */
function socketsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? [];
      } catch {
        return []; // Closed meanwhile.
      }
    });
  } catch {
    return []; // Ended meanwhile.
  }
}

/** Their inodes, of `Num RefCount Protocol Flags Type St Inode Path`: they connect to no host. */
const unixSocketsOf = (pid: number): readonly string[] =>
  (texts(`/proc/${pid}/net/unix`) ?? "")
    .split("\n")
    .flatMap((line) => line.trim().split(/\s+/)[6] ?? []);

/** `sl local remote st … inode` of the kernel's tables. */
function rowsOf(path: string): readonly Row[] | null {
  return (
    texts(path)
      ?.split("\n")
      .slice(1)
      .flatMap((line) => {
        const [, local, remote, state = "", , , , , , inode = ""] = line.trim().split(/\s+/);
        if (local === undefined || remote === undefined) return [];
        return [{ local: addressOf(local), remote: addressOf(remote), state, inode }];
      }) ?? null
  );
}

/** Bytes of IPv4 in reversed order, of IPv6 so in each group of four. */
function addressOf(text: string): Remote {
  const [host = "", port = "0"] = text.split(":");
  const words = host.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).toReversed());
  const isMapped = /^0{20}ffff/i.test(bytes.join(""));
  const four = bytes.length === 4 ? bytes : isMapped ? bytes.slice(12) : undefined;
  const six = (bytes.join("").match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, ""));
  return {
    host:
      four?.map((byte) => Number.parseInt(byte, 16)).join(".") ??
      `[${six.join(":").toLowerCase()}]`,
    port: Number.parseInt(port, 16),
  };
}

function texts(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
