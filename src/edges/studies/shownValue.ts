import type { PolicyValue } from "../../policy.ts";

/** As `--set` takes it. */
export const shown = (value: PolicyValue | undefined): string | number =>
  typeof value === "number" ? value : Array.isArray(value) ? value.join(",") : String(value ?? "");
