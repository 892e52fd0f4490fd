// docs/redaction.md is what the made-up secrets, their look-alikes and the logs of others give today.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

describe.skipIf(!existsSync("../shared/traces"))("the rates of redaction", () => {
  it("[IM64] are those of the page", () => {
    const page = execFileSync(process.execPath, ["tools/redactionRates.ts", "--print"], {
      encoding: "utf8",
    });

    expect(page).toBe(readFileSync("docs/redaction.md", "utf8"));
  });
});
