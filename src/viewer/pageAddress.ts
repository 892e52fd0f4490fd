/** What of a view stands in the address, so that a link opens the same instant. */
import { clockMs, clockText } from "./clockText.ts";

export interface Address {
  readonly atMs?: number;
  /** The number of a delivery; it wins over the time. */
  readonly seq?: number;
  readonly actor?: string;
  readonly type?: string;
  readonly find?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
}

export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const time = (name: string): number | undefined => clockMs(given.get(name) ?? "");
  const seq = /^\d{1,15}$/.exec(given.get("n") ?? "");
  const [atMs, fromMs, toMs] = [time("at"), time("from"), time("to")];
  const [actor, type, find] = ["actor", "type", "find"].map((name) => given.get(name) || undefined);
  return {
    ...(atMs !== undefined && { atMs }),
    ...(seq !== null && { seq: Number(seq[0]) }),
    ...(actor !== undefined && { actor }),
    ...(type !== undefined && { type }),
    ...(find !== undefined && { find }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  };
}

export function addressText({ atMs, seq, actor, type, find, fromMs, toMs }: Address): string {
  const parts = [
    atMs === undefined ? [] : [["at", clockText(atMs, true)]],
    seq === undefined ? [] : [["n", String(seq)]],
    actor === undefined ? [] : [["actor", actor]],
    type === undefined ? [] : [["type", type]],
    find === undefined ? [] : [["find", find]],
    fromMs === undefined ? [] : [["from", clockText(fromMs, true)]],
    toMs === undefined ? [] : [["to", clockText(toMs, true)]],
  ].flat() as [string, string][];
  // Colons and slashes stay as people write them.
  const written = parts.map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2F", "/")}`,
  );
  return `#${written.join("&")}`;
}
