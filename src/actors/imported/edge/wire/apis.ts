/** The model APIs between which and an agent a gateway can stand: where each is served, and how programs find it. */

export const APIS = ["openai", "anthropic", "ollama"] as const;
export type Api = (typeof APIS)[number];

interface ApiFacts {
  /** Where it is served unless the person, or the environment, says otherwise. */
  readonly upstream: string;
  /** Variables that libraries read; the first that is set already names the upstream. */
  readonly variables: readonly string[];
  /** Paths below the address whose bodies are read; the address of a library may end with `/v1` or not. */
  readonly read: RegExp;
}

const FACTS: { readonly [A in Api]: ApiFacts } = {
  openai: {
    upstream: "https://api.openai.com/v1",
    // The SDKs, LangChain and LiteLLM; the last two are of older releases.
    variables: ["OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_BASE_PATH"],
    read: /^\/(?:v1\/)?(?:chat\/completions|responses|completions|embeddings)$/,
  },
  anthropic: {
    upstream: "https://api.anthropic.com",
    variables: ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE", "ANTHROPIC_API_URL"],
    read: /^\/v1\/messages$/,
  },
  ollama: {
    upstream: "http://127.0.0.1:11434",
    variables: ["OLLAMA_HOST", "OLLAMA_BASE_URL", "OLLAMA_API_BASE"],
    read: /^\/(?:api\/(?:chat|generate|embed|embeddings)|v1\/(?:chat\/completions|embeddings))$/,
  },
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Where requests of an API go on to: what was asked for, what the environment says, or the API's own address. */
export function upstreamOf(api: Api, given: string | undefined, env: Environment): string {
  const { variables, upstream } = FACTS[api];
  const said = given ?? variables.map((name) => env[name]).find((value) => value !== undefined);
  const address = said === undefined || said.trim() === "" ? upstream : said.trim();
  // Ollama's variable is a bare host and port.
  return (/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`).replace(
    /\/+$/,
    "",
  );
}

/** What a gateway serves besides: stand-ins for servers of tools. */
export const STAND_INS = "mcp";
export type Served = Api | typeof STAND_INS;
/** By which a stand-in finds it, token and all. */
export const GATEWAY = "GHOSTLIGHT_GATEWAY";

/** Null where nothing can be asked there. */
export function httpAddress(text: string): URL | null {
  const address = URL.parse(text);
  return /^https?:$/.test(address?.protocol ?? "") ? address : null;
}

/** The variables by which a program finds the gateway, by name. */
export const variablesFor = (base: (of: Served) => string): { readonly [name: string]: string } => {
  const models = APIS.flatMap((api) => FACTS[api].variables.map((name) => [name, base(api)]));
  return { ...Object.fromEntries(models), [GATEWAY]: base(STAND_INS) };
};

/** SDKs start with no key alone: of a rerun, which asks nobody, any will do where there is none. */
export const keysFor = (env: Environment): { readonly [name: string]: string } =>
  Object.fromEntries(
    ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"].map((name) => [name, env[name] ?? "rerun"]),
  );

/** Whether what is asked there is a call of a model, whose bodies are kept and matched. */
export const isModelCall = (api: Api, method: string, path: string): boolean =>
  method === "POST" && FACTS[api].read.test(path);

/** What a person sets where a program does not read the variables. */
export const HINTS = [
  'OpenAI SDKs: OpenAI(base_url=os.environ["OPENAI_BASE_URL"]), new OpenAI({ baseURL: process.env.OPENAI_BASE_URL })',
  "LangChain: ChatOpenAI(base_url=…), ChatAnthropic(base_url=…), ChatOllama(base_url=…)",
  'smolagents: OpenAIModel(api_base=os.environ["OPENAI_BASE_URL"]); pydantic-ai: OpenAIProvider(base_url=…)',
  "Vercel AI SDK: createOpenAI({ baseURL: process.env.OPENAI_BASE_URL })",
];
