/** Messages of `inspect_ai`. */
import { type Fields, listOf, mapOf, mapsIn, textOf } from "../fields.ts";

/** Calls name their tool under `function`. */
export function inspectMessages(message: Fields): readonly Fields[] {
  const calls = listOf(message["tool_calls"]);
  const { function: name, source: _, tool_calls: _calls, error, ...rest } = message;
  const told = mapOf(error);
  return [
    {
      ...rest,
      ...(textOf(name) !== null && { name: name ?? null }),
      ...(told !== null && { error: told["message"] ?? "it says that it failed", is_error: true }),
      ...(calls !== null && {
        tool_calls: mapsIn(calls).map((call) => ({
          ...{ id: call["id"] ?? null, name: call["function"] ?? null },
          arguments: call["arguments"] ?? null,
        })),
      }),
    },
  ];
}
