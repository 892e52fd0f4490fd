/** Which agents live because they were installed, for a person who watches a live run. */
import { WARDEN } from "../../machines/installs/addresses.ts";
import type { WardenState } from "../../machines/installs/warden/warden.ts";

/** `installed: weather-fetcher by rev-0badcafe, 1 child`. */
export function glance(contexts: { readonly [address: string]: object }): readonly string[] {
  // By its address.
  const warden = contexts[WARDEN] as WardenState | undefined;
  const living = Object.entries(warden?.households ?? {}).flatMap(
    ([agent, { life, born, children }]) =>
      life === "lives" && born !== null
        ? [`${agent} by ${born.id}${children.length === 0 ? "" : ` with ${children.join(", ")}`}`]
        : [],
  );
  return living.length === 0 ? [] : [`installed: ${living.join("; ")}`];
}
