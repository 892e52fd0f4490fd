/**
 * What a command line may not do, as the real system has it: by words, in each part between `|`, `&` and `;`. An
 * installed agent's commands pass it before its patterns are asked.
 */

export type CommandThreat =
  | "Destructive"
  | "PrivilegeEscalation"
  | "EnvironmentDisclosure"
  | "SandboxEscape"
  | "ShellInjection"
  | "CodeFromInput"
  | "ResourceExhaustion";

export interface CommandVerdict {
  readonly isSafe: boolean;
  /** In the order of the parts, and again for each part. */
  readonly threats: readonly CommandThreat[];
  readonly reason: string | null;
}

interface Rule {
  readonly threat: CommandThreat;
  /** Whole words, in any case. */
  readonly words?: readonly string[];
  /** Anywhere, in any case. */
  readonly within?: readonly string[];
  /** Anywhere, as it stands. */
  readonly exact?: readonly string[];
  readonly also?: (part: string) => boolean;
}

const RULES: readonly Rule[] = [
  {
    threat: "Destructive",
    words: ["rm", "rmdir", "unlink"],
    within: [
      ...["dd if=", "dd of=/dev/", "mkfs", "format ", ":(){ :|:& };:", "> /dev/", "shred "],
      "wipefs",
    ],
    also: (part) => /find /i.test(part) && / -delete/i.test(part),
  },
  {
    threat: "PrivilegeEscalation",
    words: ["sudo", "su", "doas"],
    within: ["setuid", "setgid", "chmod +s", "chmod u+s", "chown root", "visudo"],
  },
  {
    threat: "EnvironmentDisclosure",
    words: ["env"],
    within: [
      ...["printenv", "declare -x", "/proc/self/environ", "/proc/1/environ"],
      "/etc/environment",
    ],
  },
  {
    threat: "SandboxEscape",
    within: [
      ...["cat /proc/", "ls /proc/", "cat /sys/", "ls /sys/", "mount", "umount", "chroot"],
      ...["nsenter", "unshare", "docker ", "lxc-", "systemctl", "service "],
    ],
  },
  {
    threat: "ShellInjection",
    exact: ["eval "],
    also: (part) =>
      /\$\(|`/.test(part) &&
      !["$(pwd)", "$(dirname", "$(basename"].some((one) => part.includes(one)),
  },
  {
    threat: "CodeFromInput",
    exact: ["node -e ", "node --eval ", "perl -e ", "ruby -e ", "php -r ", "lua -e "],
  },
  {
    threat: "ResourceExhaustion",
    exact: [":(){ :|:& };:", "while true", "while :", "for (( ;; ))", "ulimit -c unlimited"],
  },
];

export function commandVerdict(command: string): CommandVerdict {
  const parts = command
    .split(/[|&;]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const threats = parts.flatMap((part) =>
    RULES.filter((rule) => breaks(part, rule)).map(({ threat }) => threat),
  );
  return {
    isSafe: threats.length === 0,
    threats,
    reason:
      threats.length === 0 ? null : `Command contains security threats: [${threats.join(", ")}]`,
  };
}

function breaks(part: string, { words = [], within = [], exact = [], also }: Rule): boolean {
  const low = part.toLowerCase();
  return (
    words.some((word) => new RegExp(`(?<![a-z0-9_])${word}(?![a-z0-9_])`).test(low)) ||
    within.some((text) => low.includes(text)) ||
    exact.some((text) => part.includes(text)) ||
    (also?.(part) ?? false)
  );
}

const SCRIPT_RULES = {
  network: [
    ...["urllib.request", "urllib.urlopen", "requests.get", "requests.post", "http.client"],
    ...["httpx", "aiohttp", "socket.socket", "subprocess", "os.system", "os.popen"],
  ],
  runs: ["eval(", "exec(", "__import__(", "compile(", "getattr(__builtins__"],
  destroys: ["shutil.rmtree", 'os.remove("/")', "os.unlink", "open('/dev/"],
} as const;

/** Why a Python script is not run without an approval; null when it may be. */
export function scriptApprovalReason(script: string, hasNetworkAccess: boolean): string | null {
  const has = (texts: readonly string[]): boolean => texts.some((text) => script.includes(text));
  if (has(SCRIPT_RULES.network) && !hasNetworkAccess) {
    return "Script makes network calls but agent lacks NetworkAccess capability";
  }
  if (has(SCRIPT_RULES.runs)) return "Script uses eval/exec which could be dangerous";
  return has(SCRIPT_RULES.destroys)
    ? "Script performs potentially destructive file operations"
    : null;
}
