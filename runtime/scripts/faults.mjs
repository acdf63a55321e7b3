import { ensureNode } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensurePages } from "./lib/pages.mjs";
import { Refusal, runScript, say } from "./lib/place.mjs";
import { listBatteries, runBatteries } from "./lib/suites.mjs";

/**
 * `npm run faults [NAME] [-- --seed N --times N]`: runs the long form of the fault batteries in
 * `test/faults/`, all or one. Each prints its counts; any violation exits with 1.
 */
await runScript(async () => {
  const { name, seed, times } = readArguments(process.argv.slice(2));
  const names = listBatteries();
  if (name && !names.includes(name)) throw new Refusal(`Name a battery: npm run faults ${names.join(" | ")}`);
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  await ensurePages(node);
  const { failures } = await runBatteries(node, { names: name ? [name] : names, seed, times });
  say(
    failures.length === 0
      ? "Every battery held."
      : `Violations:\n${failures.map((reason) => `  ${reason}`).join("\n")}`,
  );
  return failures.length === 0 ? 0 : 1;
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
