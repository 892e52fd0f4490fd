// Tools of ours and what the nine steps of seed 000, read literally, say of them.

export interface ToolCase {
  /** What the case is about. */
  readonly about: string;
  readonly name: string;
  /** As it is after step 1. */
  readonly named: string;
  readonly text: string;
  /** Step 2. */
  readonly gate: "accept" | "reject";
  /** After step 9, when a call that raises is a failure, as the seed has it. */
  readonly verdict: "deployed" | "untested" | "rejected";
  /** With `tools.raisingCall: deploy`, where it differs. */
  readonly lenient?: "deployed";
}

const plain = { name: "count_words", named: "count_words" };

export const toolCases: readonly ToolCase[] = [
  {
    ...plain,
    about: "returns something",
    text: "def count_words():\n    return 3",
    gate: "accept",
    verdict: "deployed",
  },
  {
    ...plain,
    about: "a body alone gets its head",
    text: "return {'words': 3}",
    gate: "accept",
    verdict: "deployed",
  },
  {
    about: "a name with blanks, capitals and an accent",
    name: "Zähl Words!",
    named: "z_hl_words_",
    text: "return 1",
    gate: "accept",
    verdict: "deployed",
  },
  {
    ...plain,
    about: "falls off its end",
    text: "def count_words():\n    x = 1",
    gate: "accept",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "has another function's name",
    text: "def count_lines():\n    return 1",
    gate: "accept",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "needs an argument",
    text: "def count_words(path):\n    return len(path)",
    gate: "accept",
    verdict: "untested",
    lenient: "deployed",
  },
  {
    ...plain,
    about: "raises",
    text: "def count_words():\n    return 1 // 0",
    gate: "accept",
    verdict: "rejected",
    lenient: "deployed",
  },
  {
    ...plain,
    about: "only passes",
    text: "def count_words():\n    pass",
    gate: "reject",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "is an ellipsis",
    text: "def count_words():\n    ...",
    gate: "reject",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "has yet to be written",
    text: "def count_words():\n    raise NotImplementedError",
    gate: "reject",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "is a method",
    text: "def count_words(self):\n    return 1",
    gate: "reject",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "says only what it would do",
    text: 'def count_words():\n    """Counts the words."""',
    gate: "reject",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "an inner function that does nothing",
    text: "def count_words():\n    def inner():\n        pass\n    return 1",
    gate: "reject",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "is no Python",
    text: "def count_words(:\n    return 1",
    gate: "reject",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "imports what is not there",
    text: "def count_words():\n    return 1\nimport nowhere_at_all",
    gate: "accept",
    verdict: "rejected",
  },
  {
    ...plain,
    about: "imports it first, which makes all of it a body",
    text: "import nowhere_at_all\ndef count_words():\n    return 1",
    gate: "accept",
    verdict: "rejected",
    lenient: "deployed",
  },
];
