import { describe, expect, it } from "vitest";
import { mechanicalFault } from "../../../../src/machines/agents/goal/goalGateParts.ts";
import { policyWith } from "../../../builtIn.ts";

const policy = policyWith({}).gate;
const page = { artifact: "/agentOS/workspace/cedar/1-page.md", evidence: null };
const signed = { ...page, evidence: "Reviewed-by: vault" };

const faultOf = (text: string | null, goal: typeof page | typeof signed = page) =>
  mechanicalFault(goal, text, policy);

describe("the mechanical check", () => {
  it("[GO3] asks for the file", () => {
    expect(faultOf(null)).toBe(`${page.artifact} does not exist`);
  });

  it("[GO3] asks for 200 characters, and 199 are too few", () => {
    expect(faultOf("x".repeat(199))).toBe(`${page.artifact} has less than 200 characters`);
    expect(faultOf("x".repeat(200))).toBeUndefined();
  });

  it("[GO3] counts code points, not UTF-16 units", () => {
    expect(faultOf("👻".repeat(199))).toBe(`${page.artifact} has less than 200 characters`);
    expect(faultOf("👻".repeat(200))).toBeUndefined();
  });

  it("[GO3] takes the bound from the policy", () => {
    expect(mechanicalFault(page, "xx", { ...policy, minChars: 2 })).toBeUndefined();
    expect(mechanicalFault(page, "x", { ...policy, minChars: 2 })).toBeDefined();
    expect(mechanicalFault(page, "", { ...policy, minChars: 0 })).toBeUndefined();
  });

  it.each(["TODO", "# placeholder", "NotImplementedError", "lorem ipsum"])(
    "[GO3] refuses the placeholder %s",
    (placeholder) => {
      const text = `${"x".repeat(200)}${placeholder}`;

      expect(faultOf(text)).toBe(`${page.artifact} holds the placeholder "${placeholder}"`);
      expect(faultOf(text.replace(placeholder, placeholder.slice(1)))).toBeUndefined();
    },
  );

  it("[GO3] asks for the evidence that the goal declared", () => {
    const text = "x".repeat(200);

    expect(faultOf(text, signed)).toBe(`${page.artifact} does not hold "Reviewed-by: vault"`);
    expect(faultOf(`${text}\nReviewed-by: vault\n`, signed)).toBeUndefined();
    expect(faultOf(`${text}\nreviewed-by: Vault\n`, signed)).toBeDefined();
  });

  it("[GO3] names the first fault: short before placeholder, placeholder before evidence", () => {
    expect(faultOf("TODO", signed)).toContain("less than 200");
    expect(faultOf(`TODO ${"x".repeat(200)}`, signed)).toContain("placeholder");
  });
});
