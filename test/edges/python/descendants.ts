/** Processes as the machine sees them. */
import { execFileSync } from "node:child_process";

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly residentMb: number;
}

function everyProcess(): Seen[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss="], { encoding: "utf8" });
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [pid = 0, parent = 0, kib = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parent, residentMb: kib / 1024 };
    });
}

/** Children, their children, and so on. */
export function descendants(pid: number): Seen[] {
  const all = everyProcess();
  const found: Seen[] = [];
  let parents = [pid];
  while (parents.length > 0) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
