/** What servers of tools were asked in a recording, and what they said. */
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { type Fields, mapIn } from "../readers/fields.ts";
import { STAND_INS } from "./apis.ts";
import type { McpLine } from "./exchangeLog.ts";

export interface AskedTool {
  readonly api: typeof STAND_INS;
  /** Of which server, and the method. */
  readonly path: string;
  readonly request: Json;
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

/** The same, told to who asks now. */
export function toldAgain({ told }: AskedTool, message: Json): readonly Json[] {
  const { id = null, params } = mapIn(message);
  const { progressToken } = mapIn(mapIn(params)["_meta"]);
  return told.map((one) => {
    if (isAnswer(one)) return { ...one, id };
    if (one["method"] !== "notifications/progress" || progressToken === undefined) return one;
    return { ...one, params: { ...mapIn(one["params"]), progressToken } };
  });
}
