/**
 * Families of lessons: different wordings of one rule. The seed names the kind ("all 'verify path
 * exists' variants collapse to one") and no table; this one is ours. The first family that fits is
 * the lesson's.
 */
export interface LessonFamily {
  readonly name: string;
  /** One of these fits; matched against the text in lower case. */
  readonly patterns: readonly RegExp[];
  readonly source: string;
}

const CHECK = String.raw`\b(?:verif|check|confirm|ensur|validat|make sure|test)\w*`;
const EXISTS = String.raw`\b(?:exist\w*|presen(?:t|ce)|is there|are there|missing)\b`;
const PLACE = String.raw`\b(?:path|file|folder|director|artifact)\w*`;

const source = "ours, after seed 004, Lessons";

export const lessonFamilies: readonly LessonFamily[] = [
  {
    name: "verify-existence",
    patterns: [
      new RegExp(`${CHECK}.*${PLACE}.*${EXISTS}`, "u"),
      new RegExp(`${CHECK}.*${EXISTS}.*${PLACE}`, "u"),
      new RegExp(`${PLACE}.*${EXISTS}.*\\bbefore\\b`, "u"),
      new RegExp(`\\blist\\b.*${PLACE}.*\\bbefore\\b.*\\b(?:read|open)\\w*`, "u"),
    ],
    source,
  },
  {
    name: "read-only-paths",
    patterns: [
      /\bread-?\s?only\b.*(?:\/agentos\/|\bpath|\bfile|\bfolder|\bdirector)/u,
      /(?:\/agentos\/|\bpath|\bfile|\bfolder|\bdirector).*\bread-?\s?only\b/u,
      /\b(?:never|not|cannot|can't|don't)\b.*\b(?:writ|edit|modif|chang|delet)\w*.*(?:\/agentos\/agents|\bsystem\b)/u,
      /(?:\/agentos\/agents|\bsystem (?:path|file|folder)s?).*\b(?:not|never|cannot|can't)\b.*\b(?:writ|edit|modif|chang|delet)\w*/u,
    ],
    source,
  },
  {
    name: "no-placeholders",
    patterns: [
      /\b(?:placeholder|lorem ipsum|todo|notimplementederror|scaffold|stub text)/u,
      /\b(?:empty|blank|hollow)\b.*\b(?:file|output|artifact|result|page)s?\b/u,
      /\b(?:file|output|artifact|page)s?\b.*\b(?:empty|too short|substance|at least \d+)\b/u,
    ],
    source,
  },
  {
    name: "failing-tools",
    patterns: [
      /\b(?:tool|capabilit)\w*.*\b(?:fail|broke|broken|error)\w*.*\b(?:again|repeat|twice|retry|other|another|different|instead|switch|stop|avoid)\w*/u,
      /\b(?:again|repeat|retry|retrying|avoid|stop)\w*.*\b(?:fail|broken)\w*.*\b(?:tool|capabilit)\w*/u,
      /\b(?:switch|try|use)\b.*\b(?:another|different|other)\b.*\b(?:tool|capabilit)\w*.*\bfail/u,
    ],
    source,
  },
  {
    name: "quote-what-stands",
    patterns: [
      /\b(?:quot|cit)\w*.*\b(?:exact|actual|word for word|verbatim|stands?|holds?|contents?)\b/u,
      /\b(?:claim|statement)s?\b.*\b(?:check|verif|match|actual)\w*.*\b(?:file|content)s?\b/u,
    ],
    source,
  },
];

/** The family of a lesson, by name. */
export const familyOf = (lesson: string): string | undefined => {
  const text = lesson.toLowerCase();
  return lessonFamilies.find(({ patterns }) => patterns.some((one) => one.test(text)))?.name;
};
