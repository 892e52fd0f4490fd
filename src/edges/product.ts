/** The product's name and version, as manifests and `--version` give it. */
import { readFileSync } from "node:fs";

const { version, engines } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { version: string; engines: { node: string } };

export const VERSION = version;
export const PRODUCT = `ghostlight ${version}`;

/** `22.19`: the oldest Node that is supported. */
export const NODE_NEEDED = engines.node.replace(">=", "");
