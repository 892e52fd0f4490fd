/** A call that an agent made in a recording, and what came of it: whether whoever stands in for the agent makes the same one. */
import type { Json } from "../machines/letter.ts";
import { sortedJson } from "../machines/sortedJson.ts";
import { sha256Hex } from "../substrate/digest.ts";

export interface RecordedCall {
  readonly tool: string;
  readonly args: Json;
  readonly result: Json;
  readonly error: string | null;
}

/** Eight hexadecimal digits: ours, enough to tell a call from another one in its place. */
export const recordedCall = ({ tool, args, result, error }: RecordedCall): string =>
  sha256Hex(sortedJson([tool, args, error === null ? { result } : { error }])).slice(0, 8);
