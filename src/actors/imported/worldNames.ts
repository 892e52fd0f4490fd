/** Names of a log as a scenario can hold them: each becomes a valid one, and no two become the same. */

const AGENT_CHARS = 31;
const TOOL_CHARS = 60;

export class WorldNames {
  readonly #byOwn = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #make: (name: string) => string;
  readonly #join: string;
  readonly #most: number;

  private constructor(
    make: (name: string) => string,
    join: string,
    most: number,
    taken: Iterable<string>,
  ) {
    this.#make = make;
    this.#join = join;
    this.#most = most;
    this.#taken = new Set(taken);
  }

  static ofAgents = (): WorldNames => new WorldNames(agentName, "-", AGENT_CHARS, []);

  /** `taken` are those that a world has already. */
  static ofTools = (taken: readonly string[]): WorldNames =>
    new WorldNames(toolName, "_", TOOL_CHARS, taken);

  get count(): number {
    return this.#byOwn.size;
  }

  known = (own: string): string | undefined => this.#byOwn.get(own);

  of(own: string): string {
    const known = this.#byOwn.get(own);
    if (known !== undefined) return known;
    const plain = this.#make(own);
    let name = plain;
    for (let n = 2; this.#taken.has(name) || name in Object.prototype; n++) {
      const end = `${this.#join}${n}`;
      name = `${plain.slice(0, this.#most - end.length)}${end}`;
    }
    this.#taken.add(name);
    this.#byOwn.set(own, name);
    return name;
  }

  /** The log's own name and the scenario's, where they differ. */
  renamed = (): readonly (readonly [own: string, name: string])[] =>
    [...this.#byOwn].filter(([own, name]) => own !== name);
}

/** Of a name as long as a log may have it, what is looked at. */
const LOOKED_AT = 400;

function agentName(own: string): string {
  const plain = own
    .slice(0, LOOKED_AT)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const name = /^[a-z]/.test(plain) ? plain : plain === "" ? "agent" : `agent-${plain}`;
  return name.slice(0, AGENT_CHARS).replace(/-+$/, "");
}

function toolName(own: string): string {
  const plain = own
    .slice(0, LOOKED_AT)
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .slice(0, TOOL_CHARS - "tool_".length);
  if (/^_*$/.test(plain)) return "tool";
  return /^[0-9]/.test(plain) ? `tool_${plain}` : plain;
}
