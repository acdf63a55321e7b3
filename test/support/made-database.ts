import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Sources of a new database folder. */
const SOURCES = ["package-lock.json", "src/platform/db/embedded/initialize.ts"];

/**
 * Puts a database folder, as the first start in a data folder makes it, where that start will look for it: making one
 * takes as much work as all the rest of a start. It is made once, and kept for later runs.
 */
export async function installPrebuiltDatabase(dataDir: string): Promise<void> {
  const home = join(dataDir, "postgres");
  if (existsSync(home)) return;
  const made = await madeDatabase();
  mkdirSync(home, { mode: 0o711 });
  // With its owner, who is another user where the tests run as root.
  execFileSync("cp", ["-a", made, join(home, "database")]);
}

async function madeDatabase(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of SOURCES) hash.update(readFileSync(join(ROOT, file)));
  const folder = join(ROOT, ".cache/databases");
  const kept = join(folder, `${hash.digest("hex").slice(0, 12)}-${process.getuid?.() ?? 0}`);
  if (existsSync(kept)) return kept;
  const dataDir = mkdtempSync(join(tmpdir(), "dockside-made-"));
  const server = await startEmbeddedPostgres({ dataDir, log: createLog("silent") });
  await server.stop();
  const own = `${kept}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  execFileSync("cp", ["-a", join(dataDir, "postgres/database"), own]);
  rmSync(dataDir, { recursive: true, force: true });
  try {
    renameSync(own, kept);
  } catch {
    // Another worker was first.
    rmSync(own, { recursive: true, force: true });
  }
  return kept;
}
