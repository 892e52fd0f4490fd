/** The exit codes of the command line. Source: DESIGN §6. */
export const EXIT = {
  ok: 0,
  failed: 1,
  badInput: 2,
  divergence: 3,
  miss: 4,
  limit: 5,
  bug: 70,
  interrupted: 130,
} as const;

/** A disk or a device that takes no more. */
export const isFullDisk = (error: unknown): error is Error =>
  error instanceof Error &&
  ["ENOSPC", "EDQUOT", "EFBIG", "EIO"].includes((error as NodeJS.ErrnoException).code ?? "");

/** What a part of a program's own does that ends the process, or its thread, from within. */
export const endedEarly = (): Error =>
  new Error("The process was ended before its command was done.");
