import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { inRoot, runScript } from "./lib/place.mjs";
import { runInPlace } from "./lib/run.mjs";

/** `npm run record:intuit`: answers the open questions about Intuit with a sandbox company, once. */
await runScript(async () => {
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  return runInPlace(
    node,
    [inRoot("test/record/record-intuit.ts"), ...process.argv.slice(2)],
    environmentFor(node),
  );
});
