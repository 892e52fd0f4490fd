/** Node's SHA-256 for all digests. Every entry point on Node imports this first. */
import { hash } from "node:crypto";
import { hashWith } from "../substrate/digest.ts";

export const nodeSha256Hex = (text: string): string => hash("sha256", text, "hex");

hashWith(nodeSha256Hex);
