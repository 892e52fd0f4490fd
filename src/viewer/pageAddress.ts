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
  /** Of two runs, the number of the one whose panels stand open. */
  readonly run?: number;
  readonly tab?: string;
  /** Whose state is shown. */
  readonly who?: string;
  readonly isSqueezed?: boolean;
  /** The variant that stands beside the run, of those that the page holds. */
  readonly with?: string;
}

export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const times = { atMs: "at", fromMs: "from", toMs: "to" };
  const words = {
    actor: "actor",
    type: "type",
    find: "find",
    tab: "tab",
    who: "who",
    with: "with",
  };
  const seq = /^\d{1,15}$/.exec(given.get("n") ?? "");
  const present = Object.entries({
    ...mapped(times, (name) => clockMs(given.get(name) ?? "")),
    ...mapped(words, (name) => given.get(name) || undefined),
    seq: seq === null ? undefined : Number(seq[0]),
    run: given.get("run") === "b" ? 1 : undefined,
    isSqueezed: given.get("idle") === "squeezed" ? true : undefined,
  }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present);
}

const mapped = <T>(names: { readonly [key: string]: string }, read: (name: string) => T) =>
  Object.fromEntries(Object.entries(names).map(([key, name]) => [key, read(name)]));

export function addressText({ atMs, seq, fromMs, toMs, run, isSqueezed, ...words }: Address) {
  const { actor, type, find, tab, who, with: beside } = words;
  const time = (ms: number | undefined) => (ms === undefined ? undefined : clockText(ms, true));
  const parts = Object.entries({
    ...{ at: time(atMs), n: seq, actor, type, find, from: time(fromMs), to: time(toMs) },
    ...{
      with: beside,
      run: run === 1 ? "b" : undefined,
      tab,
      who,
      idle: isSqueezed ? "squeezed" : undefined,
    },
  }).filter(([, value]) => value !== undefined);
  // Colons and slashes stay as people write them.
  const written = parts.map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(String(value)).replaceAll("%3A", ":").replaceAll("%2F", "/")}`,
  );
  return `#${written.join("&")}`;
}
