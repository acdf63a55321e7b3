import { posix } from "node:path";
import { findImports, isTest, readText } from "../check/files.mjs";

const IS_CODE = /\.(tsx?|mjs)$/;
/** Browser tests reach the product by HTTP, so their imports don't show which ones a change affects. */
const IS_SELECTABLE = /^(?!test\/e2e\/)(?!.*\.full\.test\.).*\.test\.tsx?$/;
/** Type-only imports are erased. */
const TYPES = /^(?:import|export) type [^;]*;/gm;

/**
 * Selects the tests that changed files concern, by their imports. A test that starts the product imports all of
 * it through `src/main`: of that, only the changes in its own feature, or folder, count.
 * @param {string[]} files of the repository
 * @param {string[]} changed
 * @param {(file: string) => string} [read] returns a file's text
 * @returns {string[]} tests of `npm test` that Vitest runs
 */
export function selectTests(files, changed, read = readText) {
  const code = files.filter((file) => IS_CODE.test(file));
  const known = new Set(code);
  const imports = new Map(
    code.map((file) => {
      const targets = findImports(file, read(file).replaceAll(TYPES, "")).map(({ target }) => target);
      return [file, targets.filter((target) => known.has(target))];
    }),
  );
  return code
    .filter((file) => IS_SELECTABLE.test(file))
    .filter((test) => {
      const reached = findReached(test, imports);
      const startsProduct = [...reached].some(isMain);
      return changed.some((file) => reached.has(file) || (startsProduct && isBeside(file, test)));
    });
}

/** Follows imports from a test, but out of `src/main` only if the test is there. */
function findReached(test, imports) {
  const reached = new Set([test]);
  for (const file of reached) {
    const targets = imports.get(file) ?? [];
    const stays = isMain(file) && !isMain(test);
    for (const target of stays ? targets.filter(isMain) : targets) reached.add(target);
  }
  return reached;
}

const isMain = (file) => file.startsWith("src/main/");

/** Whether a server file belongs to the test's feature, or for other tests to its folder. */
function isBeside(file, test) {
  const home = /^src\/features\/[^/]+\//.exec(test)?.[0] ?? `${posix.dirname(test)}/`;
  return file.startsWith(home) && !isTest(file) && !file.includes("/web/");
}
