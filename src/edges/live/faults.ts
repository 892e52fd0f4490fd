/** What can go wrong between us and a model's server, sorted; the server's own words are kept. */

export type FaultKind =
  | "refused" // No server listens there.
  | "unreachable" // There is no such host, or no way to it.
  | "gone" // The connection broke before an answer began.
  | "timeout"
  | "truncated" // The answer stopped in the middle.
  | "midstream" // The server reported an error in the middle of an answer.
  | "garbage" // What came is not the protocol of such a server.
  | "empty" // The model was loaded, and said nothing.
  | "missing" // 404: the model is not there.
  | "denied" // 401, 403
  | "rejected" // Any other 4xx: the request itself is wrong.
  | "busy" // 429, 503
  | "memory" // The model does not fit.
  | "server" // Any other 5xx.
  | "cancelled"; // By us.

export class Fault extends Error {
  override readonly name = "Fault";
  readonly kind: FaultKind;
  /** How long the server asks to be left alone, in real milliseconds; 0 where it does not say. */
  readonly restMs: number;
  constructor(kind: FaultKind, message: string, restMs = 0) {
    super(message);
    this.kind = kind;
    this.restMs = restMs;
  }
}

/** Asking the same again cannot help. */
export const isFinal = ({ kind }: Fault): boolean =>
  kind === "denied" || kind === "rejected" || kind === "cancelled";

/** Of an answer whose status says that it is an error. */
export function faultOfStatus(status: number, message: string, restMs = 0): Fault {
  const text = `${status}: ${message}`;
  if (status === 404) return new Fault("missing", text);
  if (status === 401 || status === 403) return new Fault("denied", text);
  if (status === 429 || status === 503) return new Fault("busy", text, restMs);
  if (status < 500) return new Fault("rejected", text);
  return new Fault(isMemory(message) ? "memory" : "server", text);
}

const isMemory = (message: string): boolean =>
  /(system|more|out of|insufficient) memory|resource limitations|cudaMalloc/i.test(message);

/** Whatever was thrown on the way. `hasBegun`: an answer had begun to come. */
export function faultOf(thrown: unknown, hasBegun: boolean): Fault {
  if (thrown instanceof Fault) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error.cause instanceof Fault) return error.cause;
  const { name, message } = error;
  const code = codeOf(error);
  if (name === "TimeoutError" || code?.includes("TIMEOUT")) return new Fault("timeout", message);
  if (name === "AbortError") return new Fault("cancelled", message);
  if (code === "ECONNREFUSED") return new Fault("refused", "nobody listens there");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code?.endsWith("UNREACH"))
    return new Fault("unreachable", `no way to that host (${code})`);
  if (message.startsWith("Did not receive done")) {
    return new Fault("truncated", "the answer stopped before its end");
  }
  if (error instanceof SyntaxError) return new Fault("garbage", "the answer is not JSON");
  if (error.cause instanceof Error && error.cause.message === "bad port")
    return new Fault("unreachable", "a port that Node never connects to");
  if (error instanceof TypeError) {
    const text = `the connection broke${code === undefined ? "" : ` (${code})`}`;
    return new Fault(hasBegun ? "truncated" : "gone", text);
  }
  return new Fault(hasBegun ? "midstream" : "server", message);
}

/** Node hides it behind `fetch failed`, sometimes twice. */
function codeOf(error: Error): string | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (typeof code === "string") return code;
    if (one instanceof AggregateError) {
      const inner = one.errors.find((each: NodeJS.ErrnoException) => each.code !== undefined);
      if (inner !== undefined) return String(inner.code);
    }
  }
  return undefined;
}
