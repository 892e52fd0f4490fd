/** The product's name and version, as manifests and `--version` give it. */
import { readFileSync } from "node:fs";

const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { version: string };

export const VERSION = version;
export const PRODUCT = `ghostlight ${version}`;
