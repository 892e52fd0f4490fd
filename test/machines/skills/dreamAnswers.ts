// What models say to a dreamer in tests.

export const CHALLENGE =
  "Read words.txt and return how many of its lines hold the word heron, as a whole number.";
export const SETUP = "a grey heron stood there\nnobody saw it\n";
export const VALIDATOR = "def validate(answer):\n    assert answer == 1, 'one line holds it'\n";
export const SOLUTION = "def solve():\n    return 1\n";

export const challengeText = JSON.stringify({
  ...{ domain: "algo", challenge: CHALLENGE, setup: { "words.txt": SETUP }, validator: VALIDATOR },
});

export interface Worded {
  readonly trigger?: string;
  readonly pattern?: string;
  readonly domains?: readonly string[];
  readonly confidence?: number;
}

export const extractedText = ({
  trigger = "Counting lines of a text with a word",
  pattern = "Split the text into lines first",
  domains = ["algo"],
  confidence = 0.5,
}: Worded): string =>
  JSON.stringify({
    ...{ trigger, anti_pattern: "Counting the word", correct_pattern: pattern },
    ...{ domains, confidence },
  });
