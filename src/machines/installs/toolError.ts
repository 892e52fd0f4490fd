/** What a tool's failure is to the agent that called it. Source: dossier 1.9. */

export type ToolErrorType = "validation" | "permission" | "resource" | "execution" | "fatal";

/** JSON, so no interface. */
export type ToolError = {
  readonly ok: false;
  readonly error_type: ToolErrorType;
  readonly message: string;
  readonly repair_hint?: string;
};

const TYPES: readonly (readonly [ToolErrorType, readonly string[]])[] = [
  ["permission", ["policy", "Permission Denied", "denied"]],
  ["validation", ["must not be empty", "Invalid", "must", "required"]],
  ["resource", ["not found", "connection", "timeout"]],
  ["fatal", ["corrupted", "invariant", "unsafe", "Unknown tool"]],
];

/** By its words, in this order, unless it says its type itself. */
export function toolError(text: string): ToolError {
  const [tagged, type] = /^(validation|permission|resource|execution|fatal):/.exec(text) ?? [];
  if (tagged !== undefined) return told(type as ToolErrorType, text.slice(tagged.length).trim()); // As the pattern has them.
  const found = TYPES.find(([, words]) => words.some((word) => text.includes(word)));
  return told(found?.[0] ?? "execution", text);
}

export const isRecoverable = ({ error_type: type }: ToolError): boolean => type !== "fatal";

function told(type: ToolErrorType, message: string): ToolError {
  const hint = hintFor(type, message);
  const error = { ok: false, error_type: type, message } as const;
  return hint === null ? error : { ...error, repair_hint: hint };
}

function hintFor(type: ToolErrorType, message: string): string | null {
  switch (type) {
    case "permission":
      return "Request additional authorization or adjust the scope of your request.";
    case "resource":
      return "Verify the resource exists or try again later.";
    case "validation":
      return validationHint(message.toLowerCase());
    default:
      return null;
  }
}

const INSTALL = "invalid json arguments for 'agent.install'";

const HINTS: readonly (readonly [words: readonly string[], hint: string])[] = [
  [
    [INSTALL, "missing field `type`"],
    "agent.install.capabilities items must include a valid `type` field (for example `NetworkAccess`, `ReadAccess`, `WriteAccess`, `CodeExecution`, `AgentSpawn`).",
  ],
  [
    [INSTALL, "unknown variant", "expected one of"],
    "agent.install.capabilities[].type must match one allowed enum exactly. Use one of the values listed in the error and retry.",
  ],
  [
    [INSTALL, "missing field"],
    "agent.install payload is missing required fields. Re-check required keys and ensure nested capability objects are complete.",
  ],
  [["must not be empty"], "Ensure all required fields are provided and not empty."],
  [["invalid json"], "Check the tool schema and ensure JSON is valid."],
];

const validationHint = (message: string): string =>
  HINTS.find(([words]) => words.every((word) => message.includes(word)))?.[1] ??
  "Check the tool schema and ensure all required fields are provided with valid values.";
