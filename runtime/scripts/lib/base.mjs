import { execFileSync } from "node:child_process";
import { ROOT } from "./place.mjs";

/**
 * Finds the commit that work is compared with: where it left origin/main, else the one before the last.
 * @returns {string | null} null in a copy without history
 */
export function findBase() {
  const fork = git("merge-base", "HEAD", "origin/main");
  return fork && fork !== git("rev-parse", "HEAD") ? fork : git("rev-parse", "--verify", "HEAD~1");
}

/** Lists the files that differ from a commit, committed or not; null if there is no such commit. */
export function listChanged(base) {
  const known = git("diff", "--name-only", base);
  const added = git("ls-files", "--others", "--exclude-standard");
  return known === null ? null : `${known}\n${added ?? ""}`.split("\n").filter(Boolean);
}

/** Runs Git. @returns {string | null} what it prints; null if it refuses */
export function git(...args) {
  try {
    return execFileSync("git", args, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}
