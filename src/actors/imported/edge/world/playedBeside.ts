/** Where the run of a scenario goes that was made of the log whose bundle lies in `out`. */
export const playedBeside = (out: string): string => `${out.replace(/[\\/]+$/, "")}-played`;
