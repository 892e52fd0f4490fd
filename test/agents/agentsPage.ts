// docs/recorded-agents.md: of each agent of examples/agents how it finds the gateway, and what its commands printed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { InstalledAgent, Tried } from "./exampleAgents.ts";

export const PAGE = "docs/recorded-agents.md";

export const HEAD = `# Ten agents, recorded and run again

What \`record\` and \`rerun\` printed on standard output of each agent of [examples/agents](../examples/agents), with the versions that their lock
files name, before a scripted server and again without one; \`…\` stands for what to do next. \`npm run agents\` writes this page. What the
commands do: [record-your-agent.md](record-your-agent.md).
`;

/** Ends with a line break. */
export function sectionOf(agent: InstalledAgent, { recorded, rerun }: Tried): string {
  const [runs = "", file = ""] = agent.command.split(" ");
  const code = readFileSync(join(agent.from, file), "utf8");
  const [, says = ""] = /^(?:\/\/ |""")(.*?)(?:""")?$/m.exec(code) ?? [];
  // What stands behind a comment of its own, or the line itself.
  const [finds] = /^(?:# .*_BASE_URL.*\n.*|.*_BASE_URL.*)$/m.exec(code) ?? [];
  const language = runs === "node" ? "js" : runs;
  const shown = [recorded, rerun].map(({ command, stdout }) => {
    const [said = "", ...more] = stdout.split("\n\n");
    return `$ ${command}\n${said.trimEnd()}\n${more.length > 0 ? "…\n" : ""}`;
  });
  return [
    `## ${agent.name}\n`,
    `[${file}](../examples/agents/${agent.name}/${file}): ${says}\n`,
    ...(finds === undefined ? [] : [`\`\`\`${language}\n${finds.trim()}\n\`\`\`\n`]),
    `\`\`\`\n${shown.join("")}\`\`\`\n`,
  ].join("\n");
}
