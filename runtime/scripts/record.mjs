import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { inRoot, runScript } from "./lib/place.mjs";
import { runInPlace } from "./lib/run.mjs";

/** `npm run record -- intuit | stripe | ups | retailer`: answers what papers leave open, with test accounts of your own. */
await runScript(async () => {
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  return runInPlace(node, [inRoot("test/record/record.ts"), ...process.argv.slice(2)], environmentFor(node));
});
