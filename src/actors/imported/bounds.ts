/** The numbers of the importer, each with its reason; all are ours. What lies beyond a bound is counted and told. */
export const bounds = {
  /** Records that are looked at for a first time before a log is taken for one without times. */
  clockRecords: 200,
  /** What a record counts where the log has no times: enough for a picture, and a second reads as a step. */
  stepMs: 1_000,
  /** Calls that wait for their results at once; a real agent has a few. */
  openCalls: 50_000,
  /** Ids of records that later ones may name as their parents. */
  ids: 100_000,
  /** Agents of whom it is known what they heard last. */
  agents: 10_000,
  /** Paths that calls wrote. */
  paths: 50_000,
  /** Rows of a table of values that later records may quote; there are two tables, at 17 bytes a row. */
  values: 1_000_000,
  /** Characters of one text that are searched for values. */
  searchedChars: 200_000,
  /** Results that may hold a value before it tells no longer which of them is quoted. */
  quotedResults: 4,
  /** Links of one record by quotes: the most telling ones explain, more of them blur. */
  quotesOfRecord: 4,
  /** Of what a value is shown as, and kept. */
  valueChars: 120,
  /** Characters of a name in an address. */
  nameChars: 80,
} as const;

/** Puts one into a list that holds the latest, at least so many, and gives those that went. Half go at once: one at a time would cost as much each time. */
export const keepLatest = <T>(list: T[], one: T, most: number): readonly T[] =>
  list.push(one) < 2 * most ? [] : list.splice(0, most);

/** Ours: how much later an answer comes that is late on purpose, in ms. */
export const LATE_MS = 5_000;

/** From how many characters on a value tells where it comes from; shorter ones stand anywhere by chance. */
export const telling = {
  /** With a digit, such as HAT083, 7447 or 512.40. */
  withDigit: 4,
  /** With an underscore or an @, such as round_trip_fee or a@b.org. */
  joined: 8,
  /** Of letters alone: below it are most words of any language. */
  word: 16,
} as const;
