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
