import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { inRoot, ROOT } from "../lib/place.mjs";

/**
 * Lists the repository's files, committed or not, except those Git ignores. Paths from its root, with `/`.
 */
export function repositoryFiles() {
  const list = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return list.split("\n").filter((path) => path && existsSync(inRoot(path)));
}

export const readText = (path) => readFileSync(inRoot(path), "utf8");

export const isSource = (path) => /^(src|simulators|gallery)\/.*\.tsx?$/.test(path);
/** Tests, and files that only tests use: fixtures, and files named `test-…`. */
export const isTest = (path) => /\.test\.tsx?$|\/test-[a-z-]+(\.d)?\.tsx?$|\/fixtures\//.test(path);

/** Browser code: the shell, its kit, the gallery, and the pages of features. */
export const isBrowserCode = (path) =>
  isSource(path) && /^(gallery|src\/web|src\/features\/.*\/web)\//.test(path);

const IMPORTS =
  /(?:^|[;\s])(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|new URL\(\s*"(\.[^"]+)"/g;

/** Finds the imports of a file: paths of the repository, or names of packages, each with its line. */
export function findImports(path, text) {
  return [...text.matchAll(IMPORTS)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3];
    const line = text.slice(0, match.index + 1).split("\n").length;
    return { line, target: resolveSpecifier(path, specifier) };
  });
}

function resolveSpecifier(from, specifier) {
  if (specifier.startsWith("#")) return `src/${specifier.slice(1)}`;
  if (specifier.startsWith(".")) return normalize(join(dirname(from), specifier));
  return `package:${specifier}`;
}
