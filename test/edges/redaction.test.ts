import { homedir } from "node:os";
import fc from "fast-check";
import { expect, it } from "vitest";
import { tried } from "../../src/edges/live/retrying.ts";
import { redactor } from "../../src/edges/redaction.ts";

const long = "abcDEF0123456789abcDEF0123456789";

it.each([
  ["a bearer token", `Authorization: Bearer ${long}`, "Authorization: Bearer [token 1 removed]"],
  ["a key", `use sk-${long} now`, "use [key 1 removed] now"],
  ["a key with a project", `sk-proj-${long}`, "[key 1 removed]"],
  ["GitHub's", `ghp_${long} github_pat_${long}`, "[key 1 removed] [key 2 removed]"],
  ["Stripe's", `sk_live_${long} rk_live_${long}`, "[key 1 removed] [key 2 removed]"],
  ["SendGrid's", `SG.${long.slice(0, 22)}.${long}`, "[key 1 removed]"],
  ["DigitalOcean's", `dop_v1_${"0123456789abcdef".repeat(4)}`, "[key 1 removed]"],
  ["Telegram's", `123456789:AA${"x".repeat(33)}`, "[key 1 removed]"],
  ["Twilio's", `SK${"0123456789abcdef".repeat(2)}`, "[key 1 removed]"],
  ["GitLab's", `glpat-${long}`, "[key 1 removed]"],
  ["Hugging Face's", `hf_${long}`, "[key 1 removed]"],
  ["Slack's", "xoxb-1234567890-abcdef", "[key 1 removed]"],
  ["Amazon's", "AKIAIOSFODNN7EXAMPLE", "[key 1 removed]"],
  ["Google's", `AIza${long}123`, "[key 1 removed]"],
  ["Discord's", `M${"x".repeat(23)}.abcdef.${"y".repeat(27)}`, "[key 1 removed]"],
  ["a key behind a letter", `keysk_live_${long}`, "key[key 1 removed]"],
  ["Notion's, by secretlint", `ntn_12345678901${"aB3".repeat(11)}xY`, "[key 1 removed]"],
  [
    "Amazon's other half",
    `"SecretAccessKey": "${long}abcdefgh"`,
    '"SecretAccessKey": "[key 1 removed]"',
  ],
  ["Azure's", `AccountKey=${"aB3/".repeat(21)}aB==;x`, "AccountKey=[key 1 removed];x"],
  ["a cookie", "Set-Cookie: sid=1; Path=/\nx", "Set-Cookie: [cookie 1 removed]\nx"],
  ["a password of curl", "curl -u ann:hunter22 -s", "curl -u ann:[password 1 removed] -s"],
  ["a key in a header", `-H "X-Api-Key: ${long}"`, '-H "X-Api-Key: [key 1 removed]"'],
  ["a JSON web token", "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "[token 1 removed]"],
  [
    "a JSON web token behind a hyphen",
    "x-eyx-eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    "x-eyx-[token 1 removed]",
  ],
  [
    "a JSON web token with another's beginning in it",
    "eyJhbGci-eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    "[token 1 removed]",
  ],
  [
    "a JSON web token behind a word and a point",
    "see.eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    "see.[token 1 removed]",
  ],
  [
    "a password in an address",
    "postgres://ann:hunter22@db/x",
    "postgres://ann:[password 1 removed]@db/x",
  ],
  [
    "a private key",
    "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----!",
    "[private key 1 removed]!",
  ],
  ["the beginning of one", "-----BEGIN PRIVATE KEY-----\nabc", "[private key 1 removed]"],
])("[LV13] %s is taken out", (_, text, clean) => {
  expect(redactor({}).text(text)).toBe(clean);
});

it.each([
  "see sk-learn-style-pipelines",
  "The cookie: a small biscuit",
  "docker run -u 1000:1000 alpine",
  "curl -u ann:$PASSWORD https://a.example",
  "postgres://ann:****@db/x",
  "AKIAIOSFODNN7EXAMPLEOFAWORD",
  "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
])("[LV13, IM64] %s stays", (text) => {
  expect(redactor({}).text(text)).toBe(text);
});

it("[LV13] values of the environment that are secret by name are taken out, wherever they stand", () => {
  const { text } = redactor({
    MY_API_KEY: "swordfish99",
    TERM: "xterm-256color",
    A_TOKEN: "short",
  });

  expect(text("swordfish99 xterm-256color short")).toBe("[secret 1 removed] xterm-256color short");
});

it("[LV13, LM6] one of seven characters is taken for no secret, one of eight is", () => {
  const { text } = redactor({ A_API_KEY: "sword78", B_API_KEY: "swords78" });

  expect(text("sword78 swords78")).toBe("sword78 [secret 1 removed]");
});

it("[LV13] [LM6] so are such values without the blanks around them, and the beginning of one at the end of a text", () => {
  const { text } = redactor({ MY_API_KEY: " swordfish99\n", B_TOKEN: "swordfish-of-another" });

  expect(text("swordfish99, swordfis, swordfish-")).toBe(
    "[secret 1 removed], swordfis, [secret 2 removed]",
  );
  expect(text("it is swordfis")).toBe("it is [secret 2 removed]");
  expect(text("it is swordfi")).toBe("it is swordfi");
});

it("[LV13] equal secrets get equal marks, others get others", () => {
  const redacted = redactor({});
  const [one, other] = [`sk-${long}`, `sk-${long}x`];

  expect(redacted.text(`${one} ${other}`)).toBe("[key 1 removed] [key 2 removed]");
  expect(redacted.text(other)).toBe("[key 2 removed]");
  expect(redacted.count).toBe(2);
});

it("[LV13] what agents write every day stays as it is", () => {
  const plain = [
    '{"action": "goal", "slug": "risk-analysis", "artifact": "/agentOS/workspace/cedar/task-12.md"}',
    "cedar@example.org wrote at 2026-05-02T09:00:00Z; see https://example.org/a?b=c and sha 8c79d0fcc46e29e4",
    "def token_count(text):\n    return len(text.split())\n",
    "🎭 Zürich",
  ];
  const { text } = redactor({});

  expect(plain.map((one) => text(one))).toEqual(plain);
  fc.assert(fc.property(fc.lorem(), (words) => text(words) === words));
});

it("[LV12] an error names neither the host nor the user's folder", () => {
  const { error } = redactor({});
  const clean = error(
    `dial tcp 127.0.0.1:11434: open /home/ann/.ollama/x, C:\\Users\\ann\\y, ${homedir()}: http://gpu-box.lan:11434/api`,
  );

  expect(clean).not.toMatch(/127\.0|ann|gpu-box|11434/);
  expect(clean).toContain("dial tcp <address>");
  expect(error("x".repeat(2_000))).toHaveLength(500);
});

it("[LV12] no try that failed names the host in a recording", async () => {
  const thrown = new Error("connect to http://gpu-box.lan:11434/api at /home/ann/x");
  const { attempts } = await tried(() => Promise.reject(thrown), {
    ...{ policy: { retries: 0, backoffMs: 0 }, redactor: redactor({}) },
    signal: new AbortController().signal,
  });

  expect(attempts).toHaveLength(1);
  expect(JSON.stringify(attempts)).not.toMatch(/ann|gpu-box|11434/);
});

it("[LV13] lone surrogates become U+FFFD", () => {
  expect(redactor({}).text("a\ud800b")).toBe("a\ufffdb");
});

it.each([
  ["blanks", " "],
  ["lines", "\n"],
  ["beginnings of a web token", "eyJaaaaaaaa-"],
  ["web tokens without an end", "eyJaaaaaaaa.b."],
  ["hyphens", "a-"],
  ["words before a token", "Bearer "],
  ["beginnings of a private key", "-----BEGIN "],
  ["addresses", "https://a:"],
])(
  "[LV13] half a million %s are read in one go",
  (_, text) => {
    const long = text.repeat(500_000);

    expect(redactor({}).text(long) === long).toBe(true);
  },
  30_000,
);

it.each(["token ", "sk-", "ghp_", "glpat-", "hf_", "xoxb-", "AIza", "eyJ"])(
  "[LV13] a secret of twelve million letters behind %s is read",
  (head) => {
    const read = redactor({}).text(head + "a".repeat(12_000_000));

    expect(head === "eyJ" ? read.length : read.length < 40).toBe(
      head === "eyJ" ? 12_000_003 : true,
    );
  },
);

it.each([
  ["a JSON-LD context", '{"url":"https://schema.org","type":"x","@context":"y"}'],
  ["a quoted JSON-LD context", String.raw`{\"url\":\"https://schema.org\",\"@context\":\"y\"}`],
  [
    "a placeholder",
    "https://user:<password>@host.org https://user:{{PASSWORD}}@host.org u://a:***@b",
  ],
])("[LV13] %s is no password of an address", (_, text) => {
  expect(redactor({}).text(text)).toBe(text);
});
