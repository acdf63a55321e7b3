import { readFileSync } from "node:fs";
import { installPackages } from "./npm.mjs";
import { inRoot, say } from "./place.mjs";

/** Installs the packages unless those in `node_modules` are the ones of the lock file. A full install serves production too. */
export async function ensurePackages({ production = false } = {}) {
  const installed = readPackages("node_modules/.package-lock.json");
  if (installed && matchesLock(installed, production)) return;
  say(production ? "Installing the packages …" : "Installing the packages and the test tools …");
  await installPackages({ production, add: installed !== null });
}

/** npm writes its own list of what it installed, last of all; it is compared with the lock file. */
function matchesLock(installed, production) {
  const wanted = Object.entries(readPackages("package-lock.json")).filter(
    ([path, entry]) => path && isNeeded(entry, production),
  );
  return wanted.every(([path, entry]) => installed[path]?.version === entry.version);
}

/** Optional packages are for other systems, or for a machine that has them already. */
const isNeeded = (entry, production) => !entry.optional && !entry.devOptional && !(production && entry.dev);

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(inRoot(path), "utf8")).packages;
  } catch {
    return null;
  }
}
