import { checkBreaks } from "./check/breaks.mjs";
import { checkDocuments } from "./check/documents.mjs";
import { checkEnvironment } from "./check/environment.mjs";
import { repositoryFiles } from "./check/files.mjs";
import { checkImports } from "./check/imports.mjs";
import { checkLedger } from "./check/ledger.mjs";
import { checkLocks } from "./check/locks.mjs";
import { checkTime } from "./check/time.mjs";
import { checkVocabulary } from "./check/vocabulary.mjs";
import { checkOldWords } from "./check/old-words.mjs";
import { checkRefusals } from "./check/refusals.mjs";
import { checkScreenWords } from "./check/screen-words.mjs";
import { checkWords } from "./check/words.mjs";
import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { inRoot, Refusal, runScript } from "./lib/place.mjs";
import { run } from "./lib/run.mjs";

/** Skips files that did not change since the last check. */
const TYPES = ["-p", ".", "--noEmit", "--incremental", "--tsBuildInfoFile", ".cache/types.tsbuildinfo"];

/** Each step returns its findings, one line or block each; empty means success. */
const STEPS = {
  types: (files, node) => program(node, "typescript/bin/tsc", TYPES),
  lint: (files, node) => program(node, "oxlint/bin/oxlint", ["--type-aware"]),
  format: (files, node) => program(node, "oxfmt/bin/oxfmt", ["--check", "."]),
  imports: (files) => checkImports(files),
  time: (files) => checkTime(files),
  vocabulary: checkVocabulary,
  words: (files) => [...checkWords(files), ...checkOldWords(files), ...checkScreenWords(files)],
  unused: (files, node) => program(node, "knip/bin/knip.js", ["--no-progress", "--no-config-hints"]),
  documents: checkDocuments,
  environment: checkEnvironment,
  locks: checkLocks,
  ledger: checkLedger,
  refusals: checkRefusals,
  breaks: checkBreaks,
  // Programs of their own: they use packages, and the server's own version of Node.
  schema: (files, node) => program(node, "../runtime/scripts/check/schema.mjs", []),
  patterns: (files, node) => program(node, "../runtime/scripts/check/patterns.mjs", []),
};

/** `npm run check`: runs all steps, or the given ones: `npm run check -- imports lint`. */
await runScript(async () => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !STEPS[name]);
  if (unknown)
    throw new Refusal(`There is no step ${unknown}: name ${Object.keys(STEPS).join(", ")}, or none for all.`);
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  const files = repositoryFiles();
  const names = chosen.length > 0 ? chosen : Object.keys(STEPS);
  // Most of the time is spent in programs that use one processor each.
  const steps = await Promise.all(names.map((name) => runStep(name, { files, node })));
  let failed = 0;
  for (const { name, findings, seconds } of steps) {
    process.stdout.write(`${findings.length === 0 ? "ok    " : "failed"} ${name} ${seconds} s\n`);
    for (const finding of findings) process.stdout.write(`  ${finding.trim().replaceAll("\n", "\n  ")}\n`);
    if (findings.length > 0) failed += 1;
  }
  return failed > 0 ? 1 : 0;
});

async function runStep(name, { files, node }) {
  const started = Date.now();
  const findings = await STEPS[name](files, node);
  return { name, findings, seconds: ((Date.now() - started) / 1000).toFixed(1) };
}

async function program(node, path, args) {
  const { code, output } = await run(node, [inRoot("node_modules", path), ...args], {
    env: environmentFor(node, { NO_COLOR: "1" }),
    quiet: true,
  });
  return code === 0 ? [] : [output || "it failed and said nothing"];
}
