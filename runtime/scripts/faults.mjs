import { readdirSync } from "node:fs";
import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensurePages } from "./lib/pages.mjs";
import { inRoot, Refusal, runScript, say } from "./lib/place.mjs";
import { run } from "./lib/run.mjs";

/**
 * `npm run faults [NAME] [-- --seed N --times N]`: the long form of the fault batteries of `test/faults/`, one after
 * the other, or of one of them. Each prints what it counted; any violation ends with 1.
 */
await runScript(async () => {
  const { name, seed, times } = readArguments(process.argv.slice(2));
  const names = readdirSync(inRoot("test/faults"))
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => file.slice(0, -".test.ts".length));
  if (name && !names.includes(name)) throw new Refusal(`Name a battery: npm run faults ${names.join(" | ")}`);
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  await ensurePages(node);
  const env = environmentFor(node, {
    FAULTS: "long",
    ...(seed ? { FAULTS_SEED: seed } : {}),
    ...(times ? { FAULTS_TIMES: times } : {}),
  });
  const failed = [];
  for (const battery of name ? [name] : names) {
    const vitest = [inRoot("node_modules/vitest/vitest.mjs"), "run", "--project", "api"];
    const { code } = await run(node, [...vitest, `test/faults/${battery}.test.ts`], { env });
    if (code !== 0) failed.push(battery);
  }
  say(failed.length === 0 ? "Every battery held." : `Violations in: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
});

function readArguments(args) {
  const read = { name: undefined, seed: undefined, times: undefined };
  for (let index = 0; index < args.length; index += 1) {
    const option = /^--(seed|times)$/.exec(args[index])?.[1];
    if (!option) {
      read.name = args[index];
      continue;
    }
    index += 1;
    if (!/^\d+$/.test(args[index] ?? "")) throw new Refusal(`--${option} needs a number.`);
    read[option] = args[index];
  }
  return read;
}
