import { existsSync } from "node:fs";
import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { inRoot, Refusal, runScript } from "./lib/place.mjs";
import { runInPlace } from "./lib/run.mjs";

/** Runs a program of the packages, or a script of ours, with the right Node: `node runtime/scripts/run.mjs oxfmt .` */
await runScript(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (!name) throw new Refusal("Name a program of the packages, or a file: run.mjs oxfmt .");
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  if (/\.[cm]?[jt]s$/.test(name)) return runInPlace(node, [inRoot(name), ...args], environmentFor(node));
  const program = inRoot("node_modules/.bin", name);
  if (!existsSync(program)) throw new Refusal(`No package has a program ${name}.`);
  return runInPlace(program, args, environmentFor(node));
});
