/** The address of a server, as an option or a variable gives it. */
import { badInput } from "../errors.ts";
import type { Server } from "./liveSetup.ts";
import type { ServerKind } from "./modelName.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a kind of server listens, and the key that opens it. Throws BadInput. */
export const serverOption = (
  kind: ServerKind,
  given: string | undefined,
  env: Environment,
): Server => (kind === "ollama" ? { host: ollamaHost(given, env) } : openaiServer(given, env));

/** `--host`, else OLLAMA_HOST, else the default. Throws BadInput. */
export function ollamaHost(given: string | undefined, env: Environment): string {
  const where = given === undefined ? "OLLAMA_HOST" : "--host";
  const raw = (given ?? env["OLLAMA_HOST"] ?? "").trim();
  return hostFrom(where, raw === "" ? "127.0.0.1:11434" : raw, {
    port: "11434",
    example: "http://127.0.0.1:11434",
    server: "the Ollama server",
  });
}

const KEY = "OPENAI_API_KEY";

/**
 * `--host`, else OPENAI_BASE_URL: nothing is sent anywhere that was not named. An address without a
 * path is that of `/v1`. A key goes over an open connection to this machine alone. Throws BadInput.
 */
function openaiServer(given: string | undefined, env: Environment): Server {
  const where = given === undefined ? "OPENAI_BASE_URL" : "--host";
  const raw = (given ?? env["OPENAI_BASE_URL"] ?? "").trim();
  if (raw === "") {
    throw badInput(
      "--host",
      "no server for openai:NAME",
      "--host URL, or OPENAI_BASE_URL in the environment",
      "A server of your own: --host http://127.0.0.1:8000/v1; OpenAI itself: --host https://api.openai.com/v1.",
    );
  }
  const address = hostFrom(where, raw, {
    example: "http://127.0.0.1:8000/v1",
    server: "the server, up to where /chat/completions begins",
  });
  const { protocol, hostname, pathname } = new URL(address);
  const host = pathname === "/" ? `${address}/v1` : address;
  const key = (env[KEY] ?? "").trim();
  if (key === "") return { host };
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw badInput(
      KEY,
      "a key that no header can hold",
      "letters, digits and signs of ASCII, without blanks",
      `Set ${KEY} to the key alone, or unset it for a server that needs none.`,
    );
  }
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || isHere) return { host, key };
  throw badInput(
    where,
    `http:// to another machine, while ${KEY} is set: anybody on the way could read the key`,
    "https://, or a server on this machine",
    `Give the address with https://, or unset ${KEY} for a server that needs no key.`,
  );
}

interface HostRules {
  /** Where no port and no scheme is given; the scheme's own when absent. */
  readonly port?: string;
  /** An address that may be given. */
  readonly example: string;
  /** Whose address: `the Ollama server`. */
  readonly server: string;
}

/** An address such as `http://127.0.0.1:11434`, without a slash at its end. Throws BadInput. */
function hostFrom(where: string, text: string, rules: HostRules): string {
  const withScheme = /^https?:\/\//.test(text)
    ? text
    : `http://${text.replace(/^:/, "127.0.0.1:")}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (
    url === undefined ||
    url.username !== "" ||
    url.password !== "" ||
    url.hostname === "" ||
    /^\w+:\/\/.*:\/\//.test(withScheme)
  ) {
    const isNamed = url !== undefined && `${url.username}${url.password}` !== "";
    throw badInput(
      where,
      isNamed ? "an address with a user name in it" : JSON.stringify(text),
      `an address such as ${rules.example}`,
      `Give the address of ${rules.server}.`,
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw badInput(
      where,
      "an address with a ? or a # in it",
      `an address such as ${rules.example}`,
      "Omit what stands from there on: it would be sent nowhere.",
    );
  }
  // A server listens on 0.0.0.0; a client cannot call it.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  const hasPort = url.port !== "" || /^https?:\/\//.test(text);
  if (!hasPort && rules.port !== undefined) url.port = rules.port;
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, "")}`;
}
