import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { inRoot, runScript } from "./lib/place.mjs";
import { runInPlace } from "./lib/run.mjs";

/** `npm run operate -- …`: commands for operators; without arguments it lists them. */
await runScript(async () => {
  const [node] = await Promise.all([ensureNode(), ensurePackages({ production: true })]);
  return runInPlace(
    node,
    [inRoot("src/main/operate.ts"), ...process.argv.slice(2)],
    environmentFor(node, { NODE_COMPILE_CACHE: inRoot(".cache/compiled") }),
  );
});
