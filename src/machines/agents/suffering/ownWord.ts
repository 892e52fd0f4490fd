/** The model's word about its own stressors, which only an accepting policy passes on. Ruling U4. */
import type { Delivered, Letter } from "../../letter.ts";
import type { StressorAddress } from "./agentRecord.ts";
import type { StressorPolicy } from "./stressorPolicy.ts";

export function wordsGiven(
  stressors: readonly StressorAddress[],
  { agent, resolved, fresh, at }: Delivered<"suffering.reported">,
  { selfReport, selfReportMax }: StressorPolicy,
): Letter[] {
  if (selfReport === "ignored") return [];
  const own = stressors.filter((one) => one.agent === agent);
  const given = (names: readonly string[], over: boolean): Letter[] =>
    names
      .map(plain)
      .flatMap((name) => own.find(({ type }) => type === name) ?? [])
      .slice(0, selfReportMax)
      .map(
        ({ address: to }): Letter => ({
          to,
          event: { type: "word.given", over },
          because: [at.seq],
        }),
      );
  return [...given(resolved, true), ...given(fresh, false)];
}

/** As the real system reads a name. */
const plain = (name: string): string => name.trim().toLowerCase().replaceAll(" ", "_");
