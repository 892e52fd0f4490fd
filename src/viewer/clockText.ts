/** Virtual times as people read and write them. */
/** `0:44:26`, or with milliseconds `0:44:26.213`. */
export function clockText(ms: number, isExact = false): string {
  const whole = Math.max(0, Math.floor(ms));
  const two = (value: number): string => String(value).padStart(2, "0");
  const seconds = Math.floor(whole / 1_000);
  const text = `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const rest = whole % 1_000;
  return isExact && rest > 0 ? `${text}.${String(rest).padStart(3, "0")}` : text;
}

/** Undefined for what is no such time. Also `44:26` and `90s`. */
export function clockMs(text: string): number | undefined {
  const parts = /^(?:(\d+):)?(\d+):(\d{1,2})(?:\.(\d{1,3}))?$/.exec(text.trim());
  if (parts !== null) {
    const [, hours = "0", minutes = "0", seconds = "0", rest = "0"] = parts;
    const ms = Number(rest.padEnd(3, "0"));
    return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000 + ms;
  }
  const units = new Map([
    ["ms", 1],
    ["s", 1e3],
    ["m", 6e4],
    ["h", 3.6e6],
    ["d", 8.64e7],
  ]);
  const spans = [...text.trim().matchAll(/(\d+)(ms|[smhd])/g)];
  if (spans.length === 0 || spans.map(([all]) => all).join("") !== text.trim()) return undefined;
  return spans.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units.get(unit ?? "") ?? 0),
    0,
  );
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5,
  36e5, 72e5, 216e5, 432e5, 864e5, 1728e5, 6048e5, 25_920e5,
];

/** Instants of an axis, at most so many. */
export function ticks(fromMs: number, toMs: number, most: number): readonly number[] {
  const step = STEPS_MS.find((one) => (toMs - fromMs) / one <= most) ?? (toMs - fromMs) / most;
  const first = Math.ceil(fromMs / step);
  const last = Math.floor(toMs / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step);
}
