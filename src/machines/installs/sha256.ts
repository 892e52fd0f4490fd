/** SHA-256 in lowercase hex: the one digest of installs. Source: seed 003, handles; dossier autonoetic 1.8. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

export const sha256Hex = (data: string | Uint8Array): string =>
  bytesToHex(sha256(typeof data === "string" ? utf8ToBytes(data) : data));
