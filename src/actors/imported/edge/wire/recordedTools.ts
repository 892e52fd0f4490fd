/** What servers of tools were asked in a recording, and what they said. */
import { countOf } from "../../../../contract/countOf.ts";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import { type Fields, mapIn, textOf } from "../readers/fields.ts";
import { STAND_INS } from "./apis.ts";
import type { McpLine } from "./exchangeLog.ts";
import { NO_ANSWER } from "./mcpRelay.ts";

export interface AskedTool {
  readonly api: typeof STAND_INS;
  /** Of which server, and the method. */
  readonly path: string;
  readonly request: Json;
  /** Which tool it calls; null where it calls none. */
  readonly tool: string | null;
  /** What the client was told from then on until the next request, as it came: its answer is one of them. */
  readonly told: Fields[];
  /** The client waited for no answer any longer. */
  isGivenUp: boolean;
}

/** A request as it is compared: how it is to be told of its progress says nothing. Null for what wants no answer of a recording. */
export function askedOf({ from, message, server = "" }: McpLine): AskedTool | null {
  const { id, method, params } = mapIn(message);
  if (from !== "client" || id === undefined || typeof method !== "string") return null;
  const { _meta, ...own } = mapIn(params);
  const request = { method, params: isMap(params) ? own : (params ?? null) };
  return {
    api: STAND_INS,
    path: `${server} ${method}`.trimStart(),
    request,
    tool: method === "tools/call" ? (textOf(mapIn(params)["name"]) ?? "") : null,
    told: [],
    isGivenUp: false,
  };
}

/** In the order of the recording; what was never answered is left out unless the client gave it up, and so are pings, whose number is that of a clock. */
export function askedTools(lines: readonly McpLine[]): readonly AskedTool[] {
  const all: AskedTool[] = [];
  const open = new Map<string, AskedTool>();
  const last = new Map<string, AskedTool>();
  for (const line of lines) {
    const { stream = "", message } = line;
    if (!isMap(message)) continue;
    const key = `${stream} ${JSON.stringify(message["id"] ?? null)}`;
    const asked = askedOf(line);
    if (asked !== null && message["method"] !== "ping") {
      all.push(asked);
      open.set(key, asked);
      last.set(stream, asked);
    }
    const given = open.get(`${stream} ${JSON.stringify(mapIn(message["params"])["requestId"])}`);
    if (message["method"] === "notifications/cancelled" && given) given.isGivenUp = true;
    if (line.from === "client") continue;
    const isAnswer = message["method"] === undefined;
    (isAnswer ? open.get(key) : last.get(stream))?.told.push(message);
    if (isAnswer) open.delete(key);
  }
  return all.filter(({ told, isGivenUp }) => isGivenUp || told.some(isAnswer));
}

const isAnswer = ({ method }: Fields): boolean => method === undefined;

/** What a client is told in the server's place. `take` finds what the recording has; `why` it has nothing. */
export function toldFrom(
  line: McpLine,
  take: (asked: AskedTool) => AskedTool | undefined,
  why = "not in the recording",
): readonly Json[] {
  const asked = askedOf(line);
  if (asked === null) return [];
  const { id = null, method } = mapIn(line.message);
  if (method === "ping") return [{ jsonrpc: "2.0", id, result: {} }];
  const found = take(asked);
  if (found !== undefined) return toldAgain(found, line.message);
  const error = { code: NO_ANSWER, message: `ghostlight: ${why}` };
  return [{ jsonrpc: "2.0", id, error }];
}

/** Calls that a recording answered, so that they were not really made, by tool. */
export interface Spared {
  readonly [tool: string]: number;
}

/** `pay 2, look 1`. */
export const listed = (counts: { readonly [name: string]: number }): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

export function sparedText(spared: Spared): string {
  const count = Object.values(spared).reduce((sum, one) => sum + one, 0);
  return `${countOf(count, "call")} of tools, answered and not made: ${listed(spared)}`;
}

export const oneMore = (spared: Spared, { tool }: AskedTool): Spared =>
  tool === null ? spared : { ...spared, [tool]: (ownValue(spared, tool) ?? 0) + 1 };

/** The same, told to who asks now. */
function toldAgain({ told }: AskedTool, message: Json): readonly Json[] {
  const { id = null, params } = mapIn(message);
  const { progressToken } = mapIn(mapIn(params)["_meta"]);
  return told.map((one) => {
    if (isAnswer(one)) return { ...one, id };
    if (one["method"] !== "notifications/progress" || progressToken === undefined) return one;
    return { ...one, params: { ...mapIn(one["params"]), progressToken } };
  });
}
