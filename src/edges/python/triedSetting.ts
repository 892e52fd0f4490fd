/**
 * Clock and chance of code that is tried outside a world, such as by `tool check`: any fixed instant and seed do, so
 * that results repeat. Milliseconds since 1970.
 */
export const TRIED_SETTING = { seed: 0, nowMs: Date.UTC(2026, 0, 1) } as const;
