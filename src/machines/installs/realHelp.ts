/** How the real system words what is wrong with a capability. Source: dossier 1.2. */

/** In this order: the first word that the error holds chooses, be it the field that was expected instead. */
const HELPS: readonly (readonly [word: string, lines: readonly string[]])[] = [
  [
    "hosts",
    [
      "NetworkAccess capability requires 'hosts' field.",
      'Correct format: {"type": "NetworkAccess", "hosts": ["api.example.com"]}',
      'Use ["*"] to allow all hosts.',
    ],
  ],
  [
    "allowed",
    [
      "SandboxFunctions capability requires 'allowed' field.",
      'Correct format: {"type": "SandboxFunctions", "allowed": ["web.", "content."]}',
    ],
  ],
  [
    "scopes",
    [
      "ReadAccess or WriteAccess requires 'scopes' field.",
      'Correct format: {"type": "ReadAccess", "scopes": ["self.*"]}',
    ],
  ],
  [
    "max_children",
    [
      "AgentSpawn capability requires 'max_children' field.",
      'Correct format: {"type": "AgentSpawn", "max_children": 3}',
    ],
  ],
  [
    "unknown field",
    [
      "Unexpected field detected. Capability types only accept specific fields.",
      "- NetworkAccess: type, hosts",
      "- SandboxFunctions: type, allowed",
      "- ReadAccess/WriteAccess: type, scopes",
      "- AgentSpawn: type, max_children",
      "- CodeExecution: type, patterns",
      "Remove extra fields like 'description' or 'runtime'.",
    ],
  ],
];

/** A decoder's error with the help for it, where there is some. */
export function withHelp(error: string): string {
  const found = HELPS.find(([word]) => error.includes(word));
  return found === undefined ? error : `${error}\n\nHELP: ${found[1].join("\n")}`;
}
