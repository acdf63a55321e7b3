import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { makeBackup } from "../../src/main/operator/backup/make-backup.ts";
import { restoreBackup } from "../../src/main/operator/backup/restore-backup.ts";
import { TEST_KEYS } from "./keys.ts";
import { makeFolder, findAppPlace } from "./places.ts";
import type { TestApp } from "./start-app.ts";

/**
 * Makes a backup of a running app.
 * @returns a function that restores it and returns the restore's report
 */
export async function backUpApp(app: TestApp): Promise<() => Promise<string>> {
  await sql`insert into installation (kind) values ('demo') on conflict do nothing`.execute(app.db);
  const { DATABASE_URL: connectionString } = await findAppPlace(app);
  const config = { ...app.config, sealingKeys: TEST_KEYS };
  const operator = { config, connectionString, ctx: app.application.ctx };
  const folder = await makeFolder();
  await app.clock.during(makeBackup(operator, folder));
  const [name = ""] = await readdir(folder);
  return async () => {
    // Work that was woken last would hold what is dropped.
    await app.settle(0);
    await sql`drop schema public cascade`.execute(app.db);
    await sql`create schema public`.execute(app.db);
    const objects = join(app.config.dataDir, "objects");
    await rm(objects, { recursive: true });
    await mkdir(objects);
    return app.clock.during(restoreBackup(operator, join(folder, name)));
  };
}
