// The examples import the package by its name: what they mean here are its sources.
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const own = pathToFileURL("src/index.ts").href;
registerHooks({
  resolve: (name, context, next) =>
    name === "ghostlight" ? { url: own, shortCircuit: true } : next(name, context),
});
