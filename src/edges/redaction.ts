/**
 * Takes secrets out of what comes in, before it is hashed, stored or shown to an agent. Equal secrets
 * of a run get equal marks. What is looked for stands in SECURITY.md.
 */
import { homedir, hostname, userInfo } from "node:os";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";

interface Reached {
  readonly end: number;
  readonly isSecret: boolean;
}
/** Given up to where it is sure. */
type Reach = (text: string, sure: number) => Reached;

/**
 * How a secret begins, and how far it goes. Both read a text of any length in one go: what looks behind is asked only where a
 * secret may begin, and its end is searched for, since what a pattern takes without a bound fills the engine's stack.
 */
interface Secret {
  readonly kind: string;
  readonly begin: RegExp;
  readonly reach: Reach;
}

const endOf = (text: string, from: number, other: RegExp): number => {
  other.lastIndex = from;
  return other.exec(text)?.index ?? text.length;
};

const row = (kind: string, begin: RegExp, reach: Reach): Secret => ({ kind, begin, reach });
/** Up to the first letter that is another. */
const upTo =
  (other: RegExp): Reach =>
  (text, sure) => ({ end: endOf(text, sure, other), isSecret: true });
const whole: Reach = (_, end) => ({ end, isSecret: true });

const NO_WORD = /[^\w-]/g;
const PART_MIN = 8;

/** Three parts with points between. Where the first beginning in a run of letters is none, the later ones are none either. */
const webToken: Reach = (text, sure) => {
  const head = endOf(text, sure, NO_WORD);
  const body = endOf(text, head + 1, NO_WORD);
  const isSecret = text[head] === "." && body - head > PART_MIN && text[body] === ".";
  return { end: isSecret ? endOf(text, body + 1, NO_WORD) : head, isSecret };
};

const secrets: readonly Secret[] = [
  row(
    "private key",
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    whole,
  ),
  row(
    "token",
    /(?=[\w+/=.~-]{16})(?<=\b(?:Bearer|Basic|token)\s+)[\w+/=.~-]{16}/gi,
    upTo(/[^\w+/=.~-]/g),
  ),
  row("token", /eyJ[\w-]{8}/g, webToken),
  // A digit, since words that hyphens join may begin so; in front of the other keys may stand a letter.
  row("key", /\b(?:sk|pk|rk)-(?:[A-Za-z0-9]{16}|(?=[\w-]{0,199}\d)[\w-]{16})/g, upTo(NO_WORD)),
  row("key", /sk-(?:proj|ant|admin|svcacct|or)-[\w-]{16}/g, upTo(NO_WORD)),
  row("key", /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16}/g, upTo(/[^A-Za-z0-9]/g)),
  row("key", /SG\.[\w-]{16,24}\.[\w-]{16}/g, upTo(NO_WORD)), // SendGrid
  row("key", /do[por]_v1_[0-9a-f]{16}/g, upTo(/[^0-9a-f]/g)), // DigitalOcean
  row("key", /(?<!\d)\d{8,10}:AA[\w-]{30}/g, upTo(NO_WORD)), // Telegram
  row("key", /[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27}/g, upTo(NO_WORD)), // Discord
  row("key", /(?<![A-Z0-9])SK[0-9a-f]{32}(?![0-9a-f])/g, whole), // Twilio
  row("key", /gh[opsur]_[A-Za-z0-9]{20}/g, upTo(/[^A-Za-z0-9]/g)),
  row("key", /github_pat_\w{20}/g, upTo(/\W/g)),
  row("key", /glpat-[\w-]{16}/g, upTo(NO_WORD)),
  row(
    "key",
    /(?:\b(?:hf_|npm_)[A-Za-z0-9]{20}|(?:hf_|npm_)[A-Za-z0-9]{30})/g,
    upTo(/[^A-Za-z0-9]/g),
  ),
  row("key", /xox[abeoprs]-[A-Za-z0-9-]{10}/g, upTo(/[^A-Za-z0-9-]/g)),
  row("key", /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g, whole),
  row("key", /AIza[\w-]{30}/g, upTo(NO_WORD)),
  // Amazon's other half, and Azure's: the name in front alone tells them from the hash of a file.
  row(
    "key",
    /(?<=secret_?access_?key["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi,
    whole,
  ),
  row("key", /(?<=(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40}/g, upTo(/[^A-Za-z0-9+/=]/g)),
  row("key", /[\w~.-]{3}\dQ~[\w~.-]{31,34}/g, whole),
  // Headers, with whatever quotes them: a name and a value, since a cookie may be spoken of.
  row(
    "cookie",
    /(?<=(?:set-)?cookie["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})(?=[\w.-]{1,80}=[^\s;])[\w.-]/gi,
    upTo(/[\r\n"'\\]/g),
  ),
  row(
    "key",
    /(?<=\b(?:api|auth|access)-(?:key|token)["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})(?=[\w+/=.~-]{0,199}\d)[\w+/=.~-]{12}/gi,
    upTo(/[^\w+/=.~-]/g),
  ),
  row(
    "password",
    /(?<=(?:curl|wget|https?)\b[^\n]{0,300}\s(?:-u ?|--user[ =])["'\\]{0,4}[^\s:"'\\$]{1,80}:)(?!["'$<{*])[^\s"'\\]/g,
    upTo(/[\s"'\\]/g),
  ),
  // An address holds no quote or backslash unencoded: behind one, the `@` is of a name such as `"@context"`.
  row(
    "password",
    /(?<=[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"\\]{1,80}:)(?!<\w+>@|\$?\{+\w+\}+@|\*+@)[^\s/@"\\]{1,200}(?=@)/gi,
    whole,
  ),
];

/** The text with a mark for each secret that stands in these places. */
function markedAt(
  text: string,
  places: readonly (readonly [number, number])[],
  mark: (secret: string) => string,
): string {
  let [clean, at] = ["", 0];
  for (const [from, end] of places) {
    clean += text.slice(at, from) + mark(text.slice(from, end));
    at = end;
  }
  return clean + text.slice(at);
}

/** The text with a mark for each secret of a kind. */
function marked(text: string, { begin, reach }: Secret, mark: (secret: string) => string): string {
  const places: (readonly [number, number])[] = [];
  begin.lastIndex = 0;
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const { end, isSecret } = reach(text, begin.lastIndex);
    begin.lastIndex = end;
    if (isSecret) places.push([found.index, end]);
  }
  return markedAt(text, places, mark);
}

/** Values of the environment whose names say that they are secret. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
const SECRET_CHARS_MIN = 8;

export interface Redactor {
  /** What a model said. */
  text(text: string): string;
  /** An error from outside, which may also name this machine and its user. */
  error(text: string): string;
  /** How many different secrets were taken out. */
  readonly count: number;
}

// Where secretlint's rules find a secret in a text. Left out are rules whose place holds more than the secret (addresses, Amazon's), or that
// read files: there are rows above for those.

interface Reported {
  readonly range: readonly [number, number];
}

/** What of a rule is used here; the package has no types without a further one. */
interface Rule {
  readonly meta: { readonly id: string };
  create(
    context: {
      readonly createTranslator: () => () => string;
      readonly report: (one: Reported) => void;
    },
    options: object,
  ): { file(source: object): unknown };
}

const OMITTED = /-(?:aws|gcp|privatekey|basicauth|database-connection-string|filter-comments)$/;

const used = (rules as unknown as readonly Rule[]).filter(({ meta }) => !OMITTED.test(meta.id));

/** How what they look for begins: without one of these no rule is asked. */
const BEGINNING =
  /npm_|xox|xapp-|hooks\.slack|sk-|gsk_|hf_|lin_api_|ntn_|secret_|SG\.|shp(?:pa|ca|at|ss)_|gh[opsur]_|github_pat_|glpat-|glc_|glsa_|eyJ|ops_ey|hv[sbr]\.|vc[piark]_|vck_|dapi|dckr_pat_|figd_/i;

/** In order; places that overlap are one. */
function ruledSecrets(text: string): readonly (readonly [number, number])[] {
  if (!BEGINNING.test(text)) return [];
  const found: (readonly [number, number])[] = [];
  const context = {
    createTranslator: () => () => "",
    report: ({ range }: Reported) => void found.push(range),
  };
  const source = { content: text, filePath: "log.txt", ext: ".txt", contentType: "text" };
  for (const rule of used) rule.create(context, {}).file(source);
  const places: (readonly [number, number])[] = [];
  for (const [from, end] of found.sort(([a], [b]) => a - b)) {
    const last = places.at(-1);
    if (last === undefined || from >= last[1]) places.push([from, end]);
    else places[places.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return places;
}

/** `onRemoved` hears of each secret that is taken out of a text, in the order of the kinds. */
export function redactor(
  env: Readonly<Record<string, string | undefined>> = process.env,
  onRemoved: (kind: string, chars: number) => void = () => {},
): Redactor {
  const known = Object.entries(env)
    // As it goes out: a header holds no blanks around it.
    .map(([name, value = ""]): [string, string] => [name, value.trim()])
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= SECRET_CHARS_MIN)
    .map(([, value]) => value)
    .sort((a, b) => b.length - a.length);
  const marks = new Map<string, string>();
  const mark = (kind: string, secret: string): string => {
    const given = marks.get(secret) ?? `[${kind} ${marks.size + 1} removed]`;
    marks.set(secret, given);
    onRemoved(kind, secret.length);
    return given;
  };
  const text = (raw: string): string => {
    let clean = raw.toWellFormed();
    for (const value of known) clean = clean.replaceAll(value, () => mark("secret", value));
    const cut = cutOff(clean, known);
    if (cut !== undefined) clean = clean.slice(0, -cut.chars) + mark("secret", cut.value);
    for (const secret of secrets) clean = marked(clean, secret, (one) => mark(secret.kind, one));
    return markedAt(clean, ruledSecrets(clean), (one) => mark("key", one));
  };
  return {
    text,
    error: (raw) => withoutHost(text(raw)),
    get count() {
      return marks.size;
    },
  };
}

/** The secret that a text which was cut off ends in the middle of, and how much of it stands there. */
function cutOff(
  text: string,
  known: readonly string[],
): { readonly value: string; readonly chars: number } | undefined {
  for (const value of known) {
    const head = value.slice(0, SECRET_CHARS_MIN);
    const from = Math.max(0, text.length - value.length + 1);
    for (let at = text.indexOf(head, from); at >= 0; at = text.indexOf(head, at + 1)) {
      if (value.startsWith(text.slice(at))) return { value, chars: text.length - at };
    }
  }
  return undefined;
}

const ERROR_CHARS_MAX = 500;

/** Without addresses, folders of a user, and the names of machine and user. */
function withoutHost(text: string): string {
  const names = [homedir(), hostname(), userInfo().username].filter(({ length }) => length > 4);
  let clean = text
    .replace(/\b[a-z]+:\/\/[^\s"')]+/gi, "<address>")
    .replace(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, "<address>")
    .replace(/\b(localhost|\[::1\]):\d+/g, "<address>")
    .replace(/(\/(?:home|Users)\/|[A-Z]:\\Users\\)[^\s/\\"']+/g, "~");
  for (const name of names) clean = clean.replaceAll(name, "~");
  return clean.slice(0, ERROR_CHARS_MAX).toWellFormed();
}
