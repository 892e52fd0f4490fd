/** The filters of the commands that show what happened: by actor, by another name, by virtual time. */
import { span } from "../edges/duration.ts";
import { type BadInput, badInput, hintFor, quoted } from "../edges/errors.ts";

export interface TimeFlags {
  /** Virtual milliseconds. */
  readonly from?: number;
  readonly to?: number;
}

export const isWithin = (
  atMs: number,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: TimeFlags,
): boolean => atMs >= from && atMs <= to;

/** Throws BadInput where the one is after the other. */
export function checkTimes({ from = 0, to = Number.MAX_SAFE_INTEGER }: TimeFlags): void {
  if (from <= to) return;
  throw badInput(
    "--to",
    `${span(to)}, which is before --from ${span(from)}`,
    "a later time than --from",
    "Swap the two.",
  );
}

/** `agent/cedar` or just `cedar`; a restarted `#2` counts as the same actor. */
export const isOf = (address: string, actor: string): boolean => {
  const plain = address.replace(/#\d+$/, "");
  return address === actor || plain === actor || plain.split("/").includes(actor);
};

/** Of addresses, a name within one is known, too. */
export const unknownFilter = (path: string, found: string, known: readonly string[]): BadInput =>
  badInput(
    path,
    quoted(found),
    [...known].sort().slice(0, 40).join(" | "),
    "Omit the filter to see everything.",
    hintFor(found, [...known, ...known.flatMap((one) => one.split("/"))]),
  );
