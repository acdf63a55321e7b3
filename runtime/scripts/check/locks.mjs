import { readText } from "./files.mjs";

/**
 * Checks that the lock files name no registry, so that any mirror works, and contain a hash of every package.
 */
export function checkLocks(files) {
  return files.filter((file) => file.endsWith("package-lock.json")).flatMap(checkFile);
}

function checkFile(file) {
  const entries = Object.entries(JSON.parse(readText(file)).packages).filter(([path]) => path);
  return entries.flatMap(([path, entry]) => [
    ...(entry.resolved ? [`${file} ${path} names the registry it came from`] : []),
    ...(entry.integrity || entry.link ? [] : [`${file} ${path} has no hash`]),
  ]);
}
