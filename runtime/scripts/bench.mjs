import { existsSync, readdirSync } from "node:fs";
import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensurePages } from "./lib/pages.mjs";
import { inRoot, Refusal, runScript } from "./lib/place.mjs";
import { runInPlace } from "./lib/run.mjs";

/** `npm run bench NAME`: runs one measurement of `bench/`. */
await runScript(async () => {
  const [name, ...args] = process.argv.slice(2);
  const names = readdirSync(inRoot("bench"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -3));
  if (!name || !existsSync(inRoot("bench", `${name}.ts`))) {
    throw new Refusal(`Name a measurement: npm run bench ${names.join(" | ")}`);
  }
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  await ensurePages(node);
  return runInPlace(node, ["--expose-gc", inRoot("bench", `${name}.ts`), ...args], environmentFor(node));
});
