/** What a program connects to by itself, past the gateway, as Linux tells of its processes. Other systems tell nothing. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setInterval } from "node:timers";

/** Ours: a connection that is shorter may go unseen, so that what is seen is "at least". */
const LOOK_MS = 100;

/** `standIns` are processes whose connections are recorded. Looks until it is stopped; then, as `host:port` in the order in which they were seen, null where nothing can be seen. */
export function watchConnections(
  pid: number,
  gatewayPort: number,
  standIns: ReadonlySet<number>,
): () => readonly string[] | null {
  const seen = new Set<string>();
  let canSee = false;
  const look = (): void => {
    const open = connectionsOf(pid, standIns);
    canSee ||= open !== null;
    for (const { host, port } of open ?? []) if (port !== gatewayPort) seen.add(`${host}:${port}`);
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return canSee ? [...seen] : null;
  };
}

interface Remote {
  readonly host: string;
  readonly port: number;
}

/** Of a process and all that it started; null where the system does not tell. */
function connectionsOf(pid: number, standIns: ReadonlySet<number>): readonly Remote[] | null {
  const sockets = new Set(processesUnder(pid).flatMap(socketsOf));
  const rows = ["tcp", "tcp6"].flatMap((table) => rowsOf(`/proc/${pid}/net/${table}`) ?? []);
  if (rows.length === 0 && rowsOf(`/proc/${pid}/net/tcp`) === null) return null;
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
const [OPEN, OPENS, LISTENS] = ["01", "02", "0A"];

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

/** `sl local remote st … inode` of the kernel's tables. */
function rowsOf(path: string) {
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
