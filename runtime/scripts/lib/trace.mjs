import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { inRoot } from "./place.mjs";

/** Imports that remain when types are stripped, and modules that threads are started with. */
const IMPORTS = [
  /^import\s+(?!type\b)(?:[^;"'=]*?\sfrom\s+)?["']([^"']+)["']/gm,
  /^export\s+(?!type\b)(?:\*|\{[^}]*\})[^;"'=]*?from\s+["']([^"']+)["']/gm,
  /\bimport\(\s*["']([^"']+)["']/g,
  /new URL\(\s*["'](\.[^"']+\.ts)["'], import\.meta\.url\)/g,
  /\.resolve\(["']([^"']+)["']\)/g,
];

const COMMENT = /^\s*(\/?\*|\/\/).*$/gm;

/**
 * Follows the imports of programs through our sources.
 * @param {string[]} entries paths in the repository
 * @returns {{ files: string[], packages: string[] }} our files, and the names of the packages that they use
 */
export function traceImports(entries) {
  const { imports } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  /** @type {Set<string>} */
  const packages = new Set();
  const files = new Set(entries);
  for (const file of files) {
    const text = readFileSync(inRoot(file), "utf8").replaceAll(COMMENT, "");
    for (const pattern of IMPORTS)
      for (const [, name] of text.matchAll(pattern)) {
        if (name.startsWith("node:")) continue;
        const own = findOwn(file, name, imports);
        if (own === null) packages.add(packageName(name));
        else files.add(own);
      }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

/** Path of our own file; null for a package. */
function findOwn(from, name, imports) {
  if (name.startsWith(".")) return join(dirname(from), name);
  const alias = Object.keys(imports).find((key) => name.startsWith(key.slice(0, -1)));
  if (!alias) return null;
  const target = imports[alias].replace("*", name.slice(alias.length - 1));
  return relative(".", target);
}

const packageName = (name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");

/**
 * Finds where packages and all that they depend on are installed.
 * @param {string[]} names
 * @returns {string[]} folders in the repository, such as `node_modules/pg`
 */
export function tracePackages(names) {
  const { packages } = JSON.parse(readFileSync(inRoot("package-lock.json"), "utf8"));
  /** @type {Set<string>} */
  const folders = new Set(names.map((name) => `node_modules/${name}`));
  for (const folder of folders) {
    // Optional ones speed something up, or serve other systems.
    for (const name of Object.keys(packages[folder]?.dependencies ?? {})) {
      const found = nearest(packages, folder, name);
      if (!found || !existsSync(inRoot(found)))
        throw new Error(`${folder} needs ${name}, which is not installed.`);
      folders.add(found);
    }
  }
  return [...folders].sort();
}

/** As Node searches: in the package's own folder, then in each one above. */
function nearest(packages, folder, name) {
  for (
    let place = folder;
    place !== "";
    place = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")))
  ) {
    const candidate = `${place}/node_modules/${name}`;
    if (packages[candidate]) return candidate;
  }
  return packages[`node_modules/${name}`] ? `node_modules/${name}` : null;
}
