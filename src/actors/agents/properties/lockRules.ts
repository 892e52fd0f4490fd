/**
 * What the sources say about locks, written down a second time so that what the engine says of
 * them is put to the test. Source: seed 004, "Load locks"; rulings U2, U11.
 */
import type { LockPolicy } from "../../../machines/agents/engine/locks.ts";

/** What a load locks; a threshold that is reached locks, a path out never does. */
export function lockedAt(load: number, locks: LockPolicy): readonly string[] {
  if (!locks.enabled) return [];
  const listed: readonly string[] = [
    ...(load >= locks.constrained ? locks.constrainedLocks : []),
    ...(load >= locks.dominant ? locks.dominantLocks : []),
  ];
  const locked = listed.filter((name) => !isOpen(name, locks));
  return load >= locks.dominant && !locks.shellBypass ? [...locked, "shell_exec"] : locked;
}

/** Always available, whatever the load. */
export const isPathOut = (name: string, locks: LockPolicy): boolean =>
  isOpen(name, locks) && (name !== "shell_exec" || locks.shellBypass);

const isOpen = (name: string, { pathOut }: LockPolicy): boolean =>
  (pathOut as readonly string[]).includes(name);
