import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findMissing, readReview, readStandard, writeIndex } from "./lib/evidence.mjs";
import { inRoot, Refusal, ROOT, runScript, say } from "./lib/place.mjs";

const DOCUMENTS = [
  "docs/intuit-review.md",
  "docs/security.md",
  "docs/asvs.md",
  "docs/writes.md",
  "SECURITY.md",
];

/** `npm run evidence -- FOLDER`: each requirement of Intuit's review and of ASVS with the test that proves it, in a folder. */
await runScript(async () => {
  const [name] = process.argv.slice(2);
  if (!name) throw new Refusal("Name a new folder for the evidence: npm run evidence -- ../evidence");
  const folder = resolve(name);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Refusal(`The folder ${folder} is not empty: name a new one.`);
  const read = (file) => (existsSync(inRoot(file)) ? readFileSync(inRoot(file), "utf8") : null);
  const requirements = [
    ...readReview(read("docs/intuit-review.md")),
    ...readStandard(read("docs/asvs.md"), read("docs/security.md")),
  ];
  const missing = findMissing(requirements, read);
  if (missing.length > 0) throw new Refusal(missing.join("\n"));
  const tests = new Set(requirements.flatMap(({ proofs }) => (proofs ?? []).map(({ file }) => file)));
  const copy = (file, to) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(inRoot(file), join(folder, to));
  };
  for (const file of tests) copy(file, join("tests", file));
  for (const file of DOCUMENTS) copy(file, join("documents", file));
  const { version } = JSON.parse(read("package.json"));
  const git = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  const facts = {
    release: `dockside ${version}`,
    commit: git("rev-parse", "HEAD"),
    date: new Date().toISOString().slice(0, 10),
  };
  writeFileSync(join(folder, "index.md"), writeIndex(requirements, facts));
  say(
    `${requirements.length} requirements and ${tests.size} files of tests are in ${folder}; begin with index.md.`,
  );
});
