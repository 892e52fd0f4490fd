/** Pieces without the secrets that stood in them: texts, arguments, results and the keys of both. */
import { type Redactor, redactor } from "../../../edges/redaction.ts";
import type { Json } from "../../../machines/letter.ts";
import type { LogPiece, LogRecord, Removed } from "../record.ts";

/** Every secret that the redactor knows by its shape has one of these in it, or more than so many characters without a blank. */
const WORTH_A_LOOK =
  /-----BEGIN|Bearer|Basic|token|eyJ|[spr]k[-_]|SG\.|do[por]_v1_|:AA|[MNO][\w-]{23,27}\.[\w-]{6}\.|SK[0-9a-f]{8}|gh[opsur]_|github_pat_|glpat-|hf_|npm_|xox|xapp-|AKIA|ASIA|AIza|Q~|Key=|:\/\/|pass|secret|cookie|curl|wget|hooks\.slack|gsk_|lin_api_|ntn_|shp(?:pa|ca|at|ss)_|glc_|glsa_|ops_ey|hv[sbr]\.|vc[piark]_|vck_|dapi|dckr_pat_|figd_|(?:api|access|auth)[_-]?key|private_?key/i;

/** At least the names of variables whose values the redactor takes out. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|CREDENTIAL/i;
/** No shorter text is a secret to the redactor. */
const TEXT_CHARS_MIN = 8;

/** Fields whose values are secrets whatever they look like. */
const SECRET_FIELD =
  /^(?:.*[_-])?(?:password|passwd|passphrase|pwd|secret|cookie|api[_-]?key|private_?key|secret_?access_?key|(?:access|auth|refresh|session|bearer)[_-]?token)$/i;

/** Of JSON within a text, where the bare words are too common: with a digit, and no shorter than a secret is. */
const LABELLED =
  /((?<![A-Za-z])(?:secret|token)\\*["']\s{0,9}:\s{0,9}\\*["'])(?=[^\s"'\\]{0,199}\d)(?!\[)([^\s"'\\]{8,4000})/gi;

/**
 * The same in a text: as JSON, quoted or escaped, has them, as a form or a shell has them (`password=…`), and in
 * words (`password: …`), there with a digit only, since words may follow the word.
 */
const SECRET_IN_TEXT =
  /((?:password|passwd|passphrase|client_secret|api[_-]?key|private_?key|access_?token|refresh_?token)(?:(?:\\*["'])?\s{0,9}[:=]\s{0,9}\\*["']|=|:\s{0,9}(?=[^\s"'\\]{0,199}\d)))(?!\[)([^\s"'\\,;&]{4,200})/gi;

/** Ours: what is kept of one log until it ends. */
const REMOVED_MAX = 1_000;

/** Numbers of a field may be a PIN. */
const isSecretValue = (key: string, value: Json): value is string | number =>
  SECRET_FIELD.test(key) &&
  ((typeof value === "string" && value !== "") || typeof value === "number");

export class Redaction {
  readonly #redactor: Redactor;
  readonly #known: readonly string[];
  /** Texts in which something was replaced, by log. */
  readonly #texts = new Map<string, number>();
  /** What was taken out, by log; the first of each. */
  readonly #removed = new Map<string, Removed[]>();
  /** Of the record that is read. */
  #found: Pick<Removed, "kind" | "chars">[] = [];
  #count = 0;

  constructor(env: Readonly<Record<string, string | undefined>> = process.env) {
    this.#redactor = redactor(env, (kind, chars) => void this.#found.push({ kind, chars }));
    this.#known = Object.entries(env).flatMap(([name, value = ""]) =>
      SECRET_NAME.test(name) && value.length >= TEXT_CHARS_MIN ? [value] : [],
    );
  }

  *of(piece: LogPiece): Generator<LogPiece, undefined> {
    switch (piece.kind) {
      case "record": {
        const { log, record } = piece;
        [this.#count, this.#found] = [0, []];
        const clean = this.#clean(record as unknown as Json) as unknown as typeof record;
        if (this.#count > 0) this.#keep(log, record);
        yield { kind: "record", log, record: { ...clean, place: record.place } };
        return;
      }
      case "closed": {
        const texts = this.#texts.get(piece.log) ?? 0;
        const removed = this.#removed.get(piece.log) ?? [];
        this.#texts.delete(piece.log);
        this.#removed.delete(piece.log);
        if (texts > 0) yield { kind: "redacted", log: piece.log, texts, removed };
        yield piece;
        return;
      }
      case "unread": {
        const { unread } = piece;
        yield { kind: "unread", unread: { ...unread, reason: this.#text(unread.reason) } };
        return;
      }
      default:
        yield piece;
    }
  }

  #keep(log: string, { place, step }: LogRecord): void {
    this.#texts.set(log, (this.#texts.get(log) ?? 0) + this.#count);
    const kept = this.#removed.get(log) ?? [];
    const more = this.#found.slice(0, REMOVED_MAX - kept.length);
    this.#removed.set(log, [...kept, ...more.map((one) => ({ ...place, step, ...one }))]);
  }

  /** A value without its secrets, and in how many texts of it something was replaced. */
  value(given: Json): { readonly clean: Json; readonly texts: number } {
    [this.#count, this.#found] = [0, []];
    const clean = this.#clean(given);
    return { clean, texts: this.#count };
  }

  #clean(value: Json): Json {
    if (typeof value === "string") return this.#text(value);
    // JSON has no negative zero, and a recording has one number for both.
    if (typeof value === "number") return value === 0 ? 0 : value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item: Json) => this.#clean(item));
    const members = Object.entries(value as { readonly [key: string]: Json });
    return Object.fromEntries(
      members.map(([key, member]) => [
        this.#text(key),
        isSecretValue(key, member) ? this.#fieldOut(key, member) : this.#clean(member),
      ]),
    );
  }

  #fieldOut(key: string, value: string | number): string {
    this.#count++;
    this.#found.push({ kind: "field", chars: String(value).length });
    return `[${this.#text(key)} removed]`;
  }

  #text(text: string): string {
    const raw = text.toWellFormed();
    if (
      raw.length < TEXT_CHARS_MIN ||
      !(WORTH_A_LOOK.test(raw) || this.#known.some((value) => raw.includes(value)))
    )
      return raw;
    const labelled = (_: string, before: string, secret: string): string => {
      this.#found.push({ kind: "labelled", chars: secret.length });
      return `${before}[secret removed]`;
    };
    const clean = this.#redactor
      .text(raw)
      .replaceAll(SECRET_IN_TEXT, labelled)
      .replaceAll(LABELLED, labelled);
    if (clean !== raw) this.#count++;
    return clean;
  }
}
