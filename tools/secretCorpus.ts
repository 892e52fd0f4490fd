/** Secrets that are made up, the places where they stand, and what only looks like one. */
import { Redaction } from "../src/actors/imported/edge/redacted.ts";

const DIGITS = "0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LETTERS = `${UPPER}${UPPER.toLowerCase()}`;
const WORD = `${LETTERS}${DIGITS}`;

/** A small generator of its own, so that the page is the same everywhere. */
function drawer(seed: number) {
  let state = seed;
  return (letters: string, chars: number): string =>
    Array.from({ length: chars }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return letters[(state >>> 16) % letters.length];
    }).join("");
}
type Draw = ReturnType<typeof drawer>;

/** What is written, and what of it must be gone. */
interface Planted {
  readonly text: string;
  readonly secret: string;
}
const bare = (secret: string): Planted => ({ text: secret, secret });
const after = (before: string, secret: string, behind = ""): Planted => ({
  text: `${before}${secret}${behind}`,
  secret,
});

export const kinds: { readonly [kind: string]: (draw: Draw) => Planted } = {
  "OpenAI project key": (draw) => bare(`sk-proj-${draw(WORD, 48)}`),
  "Anthropic key": (draw) => bare(`sk-ant-api03-${draw(WORD, 93)}AA`),
  "Stripe secret key": (draw) => bare(`sk_live_${draw(WORD, 24)}`),
  "Stripe restricted key": (draw) => bare(`rk_live_${draw(WORD, 24)}`),
  "GitHub token": (draw) => bare(`ghp_${draw(WORD, 36)}`),
  "GitHub fine-grained token": (draw) => bare(`github_pat_${draw(WORD, 82)}`),
  "GitLab token": (draw) => bare(`glpat-${draw(WORD, 20)}`),
  "AWS access key id": (draw) => bare(`AKIA${draw(UPPER, 16)}`),
  "AWS secret key": (draw) => after("aws_secret_access_key = ", draw(WORD, 40)),
  "Azure storage key": (draw) => after("AccountName=a;AccountKey=", `${draw(WORD, 86)}==`),
  "Azure client secret": (draw) => bare(`${draw(WORD, 3)}8Q~${draw(WORD, 34)}`),
  "SendGrid key": (draw) => bare(`SG.${draw(WORD, 22)}.${draw(WORD, 43)}`),
  "Telegram bot token": (draw) => bare(`${draw("123456789", 9)}:AA${draw(WORD, 33)}`),
  "Discord bot token": (draw) => bare(`M${draw(WORD, 23)}.${draw(WORD, 6)}.${draw(WORD, 27)}`),
  "DigitalOcean token": (draw) => bare(`dop_v1_${draw("0123456789abcdef", 64)}`),
  "Twilio key": (draw) => bare(`SK${draw("0123456789abcdef", 32)}`),
  "Slack token": (draw) => bare(`xoxb-${draw(DIGITS, 12)}-${draw(DIGITS, 12)}-${draw(WORD, 24)}`),
  "Google API key": (draw) => bare(`AIza${draw(WORD, 35)}`),
  "Hugging Face token": (draw) => bare(`hf_${draw(LETTERS, 34)}`),
  "Notion token": (draw) => bare(`ntn_${draw(DIGITS, 11)}${draw(WORD, 35)}`),
  "JSON web token": (draw) => bare(`eyJ${draw(WORD, 20)}.eyJ${draw(WORD, 40)}.${draw(WORD, 43)}`),
  "private key": (draw) =>
    after("-----BEGIN PRIVATE KEY-----\n", draw(WORD, 64), "\n-----END PRIVATE KEY-----"),
  "password in an address": (draw) => after("postgres://ann:", draw(WORD, 12), "@db.example/x"),
  cookie: (draw) => after("Cookie: theme=dark; session=", draw(WORD, 32)),
  "curl -u": (draw) => after("curl -s -u ann:", draw(WORD, 12), " https://a.example"),
};

export const places: { readonly [place: string]: (text: string) => unknown } = {
  sentence: (text) => `Use ${text} for it.`,
  "field of its own": (text) => ({ value: text }),
  "line of .env": (text) => `A=1\nVALUE=${text}\nB=2`,
  header: (text) => `X-Api-Key: ${text}`,
  "JSON in a text": (text) => JSON.stringify({ value: text }),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify({ value: text })),
  "behind a letter": (text) => `key${text}`,
  "behind _": (text) => `old_${text}`,
  "file name": (text) => `/tmp/${text}.txt`,
};

export const lookAlikes: readonly string[] = [
  '{"@context": "https://schema.org", "@id": "https://a.example:443/x"}',
  "postgres://ann:<password>@db.example/x",
  `postgres://ann:$${"{PASSWORD}"}@db.example/x`,
  "6f1ed002ab5595859014ebf0951522d9d2d3a6d4",
  "123e4567-e89b-12d3-a456-426614174000",
  "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
  "docker run -u 1000:1000 alpine",
  "a task-management-system-for-teams, see sk-learn-style-pipelines",
  "The cookie: a small biscuit with chocolate.",
  "max_tokens: 4096, token count 512",
  "password: ********",
  "The password is wrong.",
  "token = tokens[0]",
  "secret santa, api key rotation, private key of the map",
  "http://localhost:8080/path@2x.png",
  "arn:aws:iam::123456789012:role/reader",
  "ann@example.org",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
  "commit ghost_writer_of_many_words_and_more_words",
  "ISBN 978-3-16-148410-0",
  "SKU SK1234567890",
  "fe80::1ff:fe23:4567:890a",
  "curl https://a.example:443/users?limit=5",
  "self_supervised_learning_of_representations",
  '{"token": "word", "next_token": null, "secret": false}',
];

export const SAMPLES = 4;

const redaction = new Redaction({});
export const cleaned = (value: unknown): string =>
  JSON.stringify(redaction.value(value as Parameters<Redaction["value"]>[0]).clean);

/** Of so many samples of that kind in that place, those that are taken out. */
export function found(
  kind: (draw: Draw) => Planted,
  place: (text: string) => unknown,
  seed: number,
): number {
  const hits = Array.from({ length: SAMPLES }, (_, sample) => {
    const { text, secret } = kind(drawer(seed + 7_919 * sample));
    return cleaned(place(text)).includes(secret) ? 0 : 1;
  });
  return hits.reduce<number>((sum, one) => sum + one, 0);
}
