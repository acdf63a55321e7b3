import { existsSync, readFileSync } from "node:fs";
import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensurePages } from "./lib/pages.mjs";
import { inRoot, runScript, serverFlags } from "./lib/place.mjs";
import { servesPages } from "./lib/roles.mjs";
import { runInPlace } from "./lib/run.mjs";

/** `npm start`: installs missing packages, builds what changed, and runs the product until it ends. */
await runScript(async () => {
  const [node] = await Promise.all([ensureNode(), ensurePackages({ production: true })]);
  const file = inRoot(".env");
  const dotEnv = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (servesPages(process.env, dotEnv)) await ensurePages(node);
  return runInPlace(
    node,
    [...serverFlags(), inRoot("src/main/start.ts"), ...process.argv.slice(2)],
    environmentFor(node, { NODE_COMPILE_CACHE: inRoot(".cache/compiled") }),
  );
});
