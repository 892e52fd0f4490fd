/**
 * One JSON value that is larger than memory ought to be: the members of its long lists are given as soon as they are read,
 * and what stands around them at the end. Tokens come from a package; what is put together of them is decided here.
 */
import { Tokenizer, TokenType } from "@streamparser/json";
import { DEPTH_MAX, strictFault } from "../../../../edges/strictValue.ts";
import type { Json } from "../../../../machines/letter.ts";
import { LINE_BYTES_MAX } from "./byteLines.ts";

/** What came of a document: a member of its top list, of a list within it, or what is left of an object. */
export interface Member {
  /** The name of the list; null for a list that is the document. */
  readonly of: string | null;
  readonly is: "member" | "rest";
  readonly value: Json;
}

type Fresh = Json[] | { [key: string]: Json };

interface Level {
  readonly into: Fresh;
  /** Of an object: the member at hand. */
  key: string;
  index: number;
}

const SPANS = ["resourceSpans", "scopeSpans", "spans"];

export class WideDocument {
  readonly #tokenizer = new Tokenizer();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #lists: ReadonlySet<string>;
  readonly #textBytesMax: number;
  readonly #levels: Level[] = [];
  #ready: Member[] = [];
  #isOver = false;
  #tokens = 0;
  /** Bytes of the pushes in which no token ended: so much of one text is held. */
  #heldBytes = 0;
  /** An error of a callback stays here, since the tokenizer may swallow it. */
  #fault: string | null = null;

  /** `lists` are the names of lists whose members are given one by one. */
  constructor(lists: ReadonlySet<string>, textBytesMax = LINE_BYTES_MAX) {
    this.#lists = lists;
    this.#textBytesMax = textBytesMax;
    this.#tokenizer.onToken = ({ token, value }) => this.#token(token, value as Json);
    this.#tokenizer.onError = (error) => {
      this.#fault ??= `no JSON: ${error.message.replace(/"[\s\S]*?"(?= at)/, "a character")}`;
    };
    this.#tokenizer.onEnd = () => undefined;
  }

  /** Null while all is well; else why nothing of what follows can be read. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Members that these bytes end. */
  push(bytes: Uint8Array): readonly Member[] {
    if (!this.#isText(bytes)) this.#fault ??= "bytes that are no UTF-8";
    const before = this.#tokens;
    if (this.#fault === null) this.#guarded(() => this.#tokenizer.write(bytes));
    this.#heldBytes = this.#tokens === before ? this.#heldBytes + bytes.length : 0;
    if (this.#heldBytes > this.#textBytesMax)
      this.#fault ??= `a text of more than ${this.#textBytesMax} bytes`;
    return this.#taken();
  }

  end(): readonly Member[] {
    if (this.#fault === null && !this.#isOver) this.#fault = "no JSON: Unexpected end of the text";
    return this.#taken();
  }

  #isText(bytes: Uint8Array): boolean {
    try {
      this.#decoder.decode(bytes, { stream: true });
      return true;
    } catch {
      return false;
    }
  }

  #guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#fault ??= `no JSON: ${(error as Error).message}`;
    }
  }

  #taken(): readonly Member[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  #token(token: TokenType, value: Json): void {
    this.#tokens += 1;
    if (this.#fault !== null) return;
    const level = this.#levels.at(-1);
    switch (token) {
      case TokenType.LEFT_BRACE:
        this.#open({});
        break;
      case TokenType.LEFT_BRACKET:
        this.#open([]);
        break;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        if (level !== undefined) this.#close(level.into);
        break;
      case TokenType.COLON:
      case TokenType.SEPARATOR:
        break;
      case TokenType.COMMA:
        if (level !== undefined) [level.key, level.index] = ["", level.index + 1];
        break;
      default:
        if (token === TokenType.STRING && level !== undefined && this.#isKey(level)) {
          level.key = `${KEY}${value as string}`;
        } else this.#attach(value);
    }
  }

  #isKey = (level: Level): boolean => !Array.isArray(level.into) && level.key === "";

  #open(into: Fresh): void {
    if (this.#levels.length >= DEPTH_MAX) {
      this.#fault = `nesting deeper than ${DEPTH_MAX}`;
      return;
    }
    this.#levels.push({ into, key: "", index: 0 });
  }

  #close(closed: Fresh): void {
    this.#levels.pop();
    if (this.#levels.length > 0) {
      this.#attach(closed as Json);
      return;
    }
    this.#isOver = true;
    if (!Array.isArray(closed)) this.#give({ of: null, is: "rest", value: closed });
  }

  #attach(value: Json): void {
    const level = this.#levels.at(-1);
    if (level === undefined) {
      this.#isOver = true;
      this.#give({ of: null, is: "member", value });
      return;
    }
    const member = this.#memberAt(value);
    if (member !== undefined) this.#give(member);
    else if (Array.isArray(level.into)) level.into.push(value);
    else {
      const key = level.key.slice(KEY.length);
      if (key === "__proto__") this.#fault = "a key __proto__";
      else level.into[key] = value;
    }
  }

  #give(member: Member): void {
    const fault = strictFault(member.value);
    if (fault === null) this.#ready.push(member);
    else this.#fault = fault;
  }

  /** The value as a member that is given at once; undefined where it is a piece of something larger. */
  #memberAt(value: Json): Member | undefined {
    const names = this.#levels.map(({ into, key }) =>
      Array.isArray(into) ? null : key.slice(KEY.length),
    );
    if (names.length === 1 && names[0] === null) return { of: null, is: "member", value };
    const [list] = names;
    if (
      names.length === 2 &&
      typeof list === "string" &&
      names[1] === null &&
      this.#lists.has(list)
    ) {
      return { of: list, is: "member", value };
    }
    if (names.length !== 6 || SPANS.some((name, index) => names[index * 2] !== name))
      return undefined;
    const around = this.#levels[2]?.into as { readonly resource?: Json };
    const resource = around.resource === undefined ? {} : { resource: around.resource };
    const request = { resourceSpans: [{ ...resource, scopeSpans: [{ spans: [value] }] }] };
    return { of: "resourceSpans", is: "member", value: request };
  }
}

/** Before each key, so that an empty one is one. */
const KEY = ":";
