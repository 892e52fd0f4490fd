/** What no agent may bring along. Source: the real system's list, which the seed names in words only (I10). */

export type Severity = "low" | "medium" | "high" | "critical";

export type ThreatKind =
  | "CommandInjection"
  | "DataExfiltration"
  | "Destructive"
  | "Obfuscation"
  | "PrivilegeEscalation"
  | "ResourceExhaustion"
  | "SandboxEscape";

export interface ThreatPattern {
  readonly pattern: string;
  readonly kind: ThreatKind;
  readonly severity: Severity;
}

const row = (pattern: string, kind: ThreatKind, severity: Severity): ThreatPattern => ({
  ...{ pattern, kind, severity },
});

/** What a command may say: in code that is parsed, only a string can. */
export const STRING_THREATS: readonly ThreatPattern[] = [
  row("rm -rf", "Destructive", "critical"),
  row("rm -rf /", "SandboxEscape", "critical"),
  row("sudo", "PrivilegeEscalation", "high"),
  row("chmod 777", "PrivilegeEscalation", "medium"),
  row("/etc/passwd", "DataExfiltration", "high"),
  row("/etc/shadow", "DataExfiltration", "critical"),
];

/** What code does: in code that is parsed, it is found as what it is, and not by these words. */
const CODE_THREATS: readonly ThreatPattern[] = [
  row("fork()", "ResourceExhaustion", "medium"),
  row("while true", "ResourceExhaustion", "low"),
  row("eval(input(", "CommandInjection", "critical"),
  row("exec(input(", "CommandInjection", "critical"),
  row("__import__(", "CommandInjection", "high"),
  row("subprocess.call(user_input", "CommandInjection", "critical"),
];

/** All of them, as they are looked for in a text. */
export const TEXT_THREATS: readonly ThreatPattern[] = [...STRING_THREATS, ...CODE_THREATS];

export interface Threat extends ThreatPattern {
  readonly file: string;
  readonly line: number;
}

/** High and critical ones reject, whatever the planner says of gates. */
export const isBarring = ({ severity }: { readonly severity: Severity }): boolean =>
  severity === "high" || severity === "critical";
