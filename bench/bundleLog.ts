/** The event log on disk as the product writes it: a bundle, flushed after every thousand deliveries. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { bundleWriter } from "../src/edges/bundle/bundleWriter.ts";
import { PRODUCT } from "../src/edges/product.ts";
import { FORMAT_VERSION, RULES_VERSION } from "../src/run/bundle.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { Input } from "../src/substrate/port.ts";

export interface BundleLog {
  onDelivery(delivery: Delivery, start: Uint8Array): void;
  onInput(input: Input): void;
  close(): void;
}

const FLUSH_EVERY = 1_000;

export function bundleLog(parent: string): BundleLog {
  const opening = {
    format: FORMAT_VERSION,
    product: PRODUCT,
    rulesVersion: RULES_VERSION,
    scenario: { name: "bench", text: "", sha256: "" },
    variant: null,
    seed: 0,
    policy: {},
    untilMs: null,
    origin: "scripted",
    providers: {},
    startsAt: "2026-01-01T00:00:00Z",
  } as const;
  const writer = bundleWriter(mkdtempSync(join(parent, "bundle-")), opening, true);
  let envelopes = 0;
  return {
    onDelivery(delivery, start) {
      writer.delivery(delivery, start);
      envelopes += 1;
      if (envelopes % FLUSH_EVERY === 0) writer.flush();
    },
    onInput: (input) => writer.input(input),
    close() {
      const counts = { envelopes, virtualMs: 0, digest: "", checkpoints: [] };
      writer.finish({ outcome: "interrupted", error: null, ...counts }, {});
    },
  };
}
