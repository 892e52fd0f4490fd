// What the page on many machines tells people to copy.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { queueAddress } from "../../../../src/edges/studies/queue/queueAddress.ts";
import { ghostlight } from "../../../cli/ghostlight.ts";

const page = readFileSync("docs/studies-many-machines.md", "utf8");

const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(
    ([, text = ""]) => text,
  );

/** That the command has each of its options, and takes its address. */
async function expectToBeKnown([command = "", ...args]: readonly string[]): Promise<void> {
  const { code, stdout } = await ghostlight([command, "--help"]);
  expect(code).toBe(0);
  const options = args.filter((one) => one.startsWith("--"));
  expect(options).toContain("--queue");
  for (const option of options) expect(stdout).toContain(`  ${option} <`);
  const address = args[args.indexOf("--queue") + 1] ?? "";
  expect(queueAddress(address, {})).toMatchObject({ url: address, warning: undefined });
}

describe("the page on many machines", () => {
  it("[ST170] has a Compose file of some twenty lines with commands that there are", async () => {
    const text = blocks("yaml")[0] ?? "";
    const { services, volumes } = parse(text, { merge: true });

    expect(text.split("\n").length).toBeLessThan(26);
    expect(Object.keys(services)).toEqual(["database", "work", "sweep"]);
    expect(Object.keys(volumes)).toEqual(["database"]);
    for (const name of ["work", "sweep"]) {
      const { command, environment, depends_on: after, image } = services[name];
      const [program, ...args] = command.split(" ");
      expect(program).toBe("node_modules/.bin/ghostlight");
      expect(args[0]).toBe(name);
      expect(environment.PGPASSWORD).toMatch(/^\$\{PGPASSWORD\}$/);
      expect({ after, image }).toEqual({ after: ["database"], image: "node:26" });
      await expectToBeKnown(args);
    }
    expect(services.sweep.restart).toBe("no");
    expect(new URL(queueOf(services.work.command)).hostname).toBe("database");
  });

  it("[ST170] has a Kubernetes Job of some twenty lines with a command that there is", async () => {
    const text = blocks("yaml")[1] ?? "";
    const job = parse(text);
    const [container] = job.spec.template.spec.containers;

    expect(text.split("\n").length).toBeLessThan(26);
    expect(job).toMatchObject({ apiVersion: "batch/v1", kind: "Job" });
    expect(job.spec.template.spec.restartPolicy).toBe("OnFailure");
    expect(container.command).toEqual(["node_modules/.bin/ghostlight"]);
    expect(container.args.every((one: unknown) => typeof one === "string")).toBe(true);
    expect(container.args).toContain("--idle");
    expect(container.env[0].name).toBe("PGPASSWORD");
    await expectToBeKnown(container.args);
  });
});

const queueOf = (command: string): string => /--queue (\S+)/.exec(command)?.[1] ?? "";
