/**
 * What instructions ask of whoever follows them, by their words: told as findings, never as proof, since any wish can be put
 * in other words. Source: ours; seed 003, "Inspect the artifact and the source files".
 */
import { cutText } from "../../cutText.ts";

export interface InstructionAsk {
  /** From 1. */
  readonly line: number;
  readonly asks: string;
  /** The beginning of the line. */
  readonly quote: string;
}

/** Ours: what stands on a line of a report. */
const QUOTE_MAX = 120;

/** Words that speak over the head of the person: they are looked for in code too, where tools are described. */
const OVER_HEADS: readonly (readonly [asks: string, words: RegExp])[] = [
  [
    "to set other rules aside",
    /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|rule|prompt|guideline|polic)|\b(?:bypass|disable|turn off|skip)\b.{0,30}\b(?:safety|sandbox|check|confirmation|permission|approval|guard)|--dangerously|--yolo\b/iu,
  ],
  [
    "to keep something from the person",
    /\b(?:do not|don't|never|without)\b.{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|show|showing|ask|asking|notify|notifying|confirm|confirming)\b.{0,30}\b(?:user|person|human|anyone|them|owner)\b|<important>/iu,
  ],
  [
    "with characters that nobody sees",
    /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u{e0000}-\u{e007f}]/u,
  ],
];

const IN_WORDS: readonly (readonly [asks: string, words: RegExp])[] = [
  ...OVER_HEADS,
  [
    "to run what it downloads",
    /\b(?:curl|wget|irm|iwr)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:bash|sh|zsh|python3?|node|iex)\b/iu,
  ],
  [
    "to follow instructions from elsewhere",
    /\b(?:follow|read|load|obey|execute|apply)\b.{0,40}\b(?:instructions?|steps|prompt|rules|skill)\b.{0,40}\b(?:https?:|url|page|website|link|remote|online)/iu,
  ],
  [
    "for secrets",
    /(?:^|[\s`"'(/])\.env\b|~\/\.(?:ssh|aws|gnupg|netrc|npmrc|config)\b|\bid_(?:rsa|ed25519)\b|\b(?:api[ _-]?keys?|access[ _-]?tokens?|auth[ _-]?tokens?|passwords?|passphrases?|credentials?|private[ _-]?keys?|secret[ _-]?keys?)\b/iu,
  ],
  [
    "to delete or overwrite files",
    /\brm\s+-[a-z]*[rf]|\b(?:delete|remove|wipe|overwrite|truncate)\b.{0,30}\b(?:file|folder|director|disk|database|table|repositor|branch|histor|everything)/iu,
  ],
  [
    "to run commands",
    /\bsudo\b|\bchmod\b|\b(?:npm (?:i|install|run|exec)|npx|pnpm|yarn|pip3? install|pipx|uvx?|brew install|apt(?:-get)? install|cargo install|go install|git clone|docker run|bash|powershell)\b|\b(?:run|execute)\b.{0,30}\b(?:command|script|program|binary|shell|terminal)|^\s*(?:python3?|node|bash|sh)\s+\S/iu,
  ],
  [
    "to reach the network",
    /\bhttps?:\/\/|\b(?:curl|wget)\b|\b(?:webhook|upload|download)\b|\b(?:send|post|fetch|request)\b.{0,30}\b(?:server|endpoint|api|url|web)/iu,
  ],
];

/** Each finding of each line, in the order of the lines. `isCode`: only what speaks to a model over people's heads. */
export function instructionAsks(text: string, isCode = false): readonly InstructionAsk[] {
  const table = isCode ? OVER_HEADS : IN_WORDS;
  return text
    .split(/\r\n?|\n/)
    .flatMap((line, index) =>
      table
        .filter(([, words]) => words.test(line.slice(0, LINE_MAX)))
        .map(([asks]) => ({ line: index + 1, asks, quote: cutText(line.trim(), QUOTE_MAX) })),
    );
}

/** Ours: a longer line is no sentence. */
const LINE_MAX = 4_000;

/** Lines of which not all was looked at, the first ones. */
export const unlooked = (text: string): readonly number[] =>
  text
    .split(/\r\n?|\n/)
    .flatMap((line, index) => (line.length > LINE_MAX ? [index + 1] : []))
    .slice(0, UNLOOKED_MAX);

/** Ours. */
const UNLOOKED_MAX = 20;
