import { expect, it } from "vitest";
import { noLiveWith } from "../../src/cli/live/liveModel.ts";

it("[LM9] a server that is named where no live model is asked is refused, not passed over", () => {
  const host = "http://127.0.0.1:8000/v1";
  expect(() => noLiveWith({ host })).toThrow(/--host: found it beside a model/);
  expect(() => noLiveWith({ host, model: "openai:tiny" })).not.toThrow();
  expect(() => noLiveWith({ model: "scripted" })).not.toThrow();
});
