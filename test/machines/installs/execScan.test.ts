import { expect, it } from "vitest";
import {
  commandVerdict,
  execFingerprint,
  remoteSigns,
  scriptApprovalReason,
} from "../../../src/machines/installs/detection/execScan.ts";

const signs = (code: string, table: "seed" | "real" = "seed") =>
  remoteSigns(code, table).map(({ category, pattern, line }) => `${line} ${category} ${pattern}`);

it.each([
  ["import redistribute", ["1 import import redis"]],
  ["from urllib.request import urlopen", ["1 import from urllib.request import"]],
  ["import urllib.request", ["1 import import urllib", "1 import import urllib.request"]],
  ["import os, requests", []],
  ["x = 1; import requests", []],
  ["s.connect (a)", ["1 function_call .connect ("]],
  ["d.get(a); d.get('http_proxy')", ["1 function_call .get(a); d.get('http"]],
  ["d.get(a)\n'http'", []],
  ["requests.patch(u)", ["1 function_call requests.patch("]],
  ["requests.get(a); requests.get(b)", ["1 function_call requests.get("]],
  ["'https://a.b/c', 'ftp://d'", ["1 url_literal https://a.b/c", "1 url_literal ftp://d"]],
  [
    "'https://a.b/?from=example.com', 'http://localhost:80', 'http://localhos'",
    ["1 url_literal http://localhos"],
  ],
  ["HTTPS://A.B", []],
  ["10.0.0.1 127.0.0.2 0.0.0.0 256.1.1.1", ["1 ip_address 10.0.0.1"]],
  ["é10.0.0.1ß 1.2.3.4_", []],
  ["é10.0.0.1.5", ["1 ip_address 0.0.1.5"]],
] as const)("[INS47] %j shows %j", (code, found) => {
  expect(signs(code)).toEqual(found);
});

it("[INS47] an import stands where it stands, and in the real system where the blank lines begin", () => {
  const code = "x\n\n  import httpx";

  expect(signs(code)).toEqual(["3 import import httpx"]);
  expect(signs(code, "real")).toEqual(["2 import import httpx"]);
});

it.each([
  ["ls -la", []],
  ["warm", []],
  ["ls | rm x", ["Destructive"]],
  ["ls & rm x & rm y; sudo z", ["Destructive", "Destructive", "PrivilegeEscalation"]],
  ["find . -name x", []],
  ["find . -name x -delete", ["Destructive"]],
  ["SUDO rm a; sudo ls", ["Destructive", "PrivilegeEscalation", "PrivilegeEscalation"]],
  ["cat .env", ["EnvironmentDisclosure"]],
  ["cat .environment", []],
  ["echo $(pwd)", []],
  ["echo $(date)", ["ShellInjection"]],
  ["python3 -c 'x'", []],
  ["node -e 'x'", ["CodeFromInput"]],
  ["while true", ["ResourceExhaustion"]],
  ["mkfs /a", ["Destructive"]],
  ["wipefs /a", ["Destructive"]],
  ["PrintEnv", ["EnvironmentDisclosure"]],
  ["chroot /a", ["SandboxEscape"]],
  ["nsenter x", ["SandboxEscape"]],
  ["Eval x", []],
] as const)("[INS47] %j: %j", (command, threats) => {
  const reason =
    threats.length === 0 ? null : `Command contains security threats: [${threats.join(", ")}]`;

  expect(commandVerdict(command)).toEqual({ isSafe: threats.length === 0, threats, reason });
});

it("[INS47] a script's network comes first, then what it runs, then what it destroys", () => {
  const all = "requests.get(u); eval(x); shutil.rmtree(p)";

  expect(scriptApprovalReason(all, false)).toMatch(/lacks NetworkAccess/);
  expect(scriptApprovalReason(all, true)).toMatch(/eval\/exec/);
  expect(scriptApprovalReason("shutil.rmtree(p)", true)).toMatch(/destructive/);
  expect(scriptApprovalReason("import requests", false)).toBeNull();
});

it("[INS69] an approved run is known by its agent, its targets in their order, and its code", () => {
  const runs = [
    execFingerprint("a", ["x", "y"], "code"),
    execFingerprint("b", ["x", "y"], "code"),
    execFingerprint("a", ["x"], "code"),
    execFingerprint("a", ["x", "y"], "other"),
  ];

  expect(new Set(runs).size).toBe(4);
  expect(runs[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
});
