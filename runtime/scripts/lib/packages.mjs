import { readFileSync } from "node:fs";
import { installPackages } from "./npm.mjs";
import { inRoot, say } from "./place.mjs";

/**
 * Installs the packages unless `node_modules` matches the lock file. A full install is sufficient for
 * production.
 */
export async function ensurePackages({ production = false } = {}) {
  const installed = readPackages("node_modules/.package-lock.json");
  if (installed && matchesLock(installed, production)) return;
  say(production ? "Installing the packages …" : "Installing the packages and the test tools …");
  await installPackages({ production, add: installed !== null });
}

/** Compares npm's own list of installed packages, which it writes last, with the lock file. */
function matchesLock(installed, production) {
  const wanted = Object.entries(readPackages("package-lock.json")).filter(
    ([path, entry]) => path && isNeeded(entry, production),
  );
  return wanted.every(([path, entry]) => installed[path]?.version === entry.version);
}

/** Optional packages are for other systems, or for machines that already have them. */
const isNeeded = (entry, production) => !entry.optional && !entry.devOptional && !(production && entry.dev);

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(inRoot(path), "utf8")).packages;
  } catch {
    return null;
  }
}
