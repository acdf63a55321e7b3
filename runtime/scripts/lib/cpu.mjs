import { readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor time, user and system, of all ended child processes and their descendants. Excludes
 * processes whose parent was killed before they ended.
 * @returns {number | null} seconds; null if the system does not report it
 */
export function childCpuSeconds() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The program's name, in parentheses, can contain spaces. The fields after it start with the third.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system] = [fields[13], fields[14]].map(Number);
    return (user + system) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}
