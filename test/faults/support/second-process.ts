import { join } from "node:path";
import { sql } from "kysely";
import { inject, onTestFinished } from "vitest";
import { createChangeFeed } from "#platform/events/change-feed.ts";
import { connectDatabase, WORK_LIMITS } from "#platform/db/connect.ts";
import { parseSealingKeys } from "#platform/crypto/seal.ts";
import { createApplication, type Application } from "../../../src/main/application.ts";
import { createWebServer } from "../../../src/main/web-server.ts";
import { startWorker } from "../../../src/main/run-worker.ts";
import { createBrowser, type Browser } from "../../support/browser.ts";
import { databaseUrl } from "../../support/database.ts";
import type { TestApp } from "../../support/start-app.ts";
import { freePort } from "../../support/free-ports.ts";

const PAGES = join(import.meta.dirname, "../../support/pages");
/** The keys of the first process: what one sealed the other must open. */
export const SEALING_KEYS = `t1:${Buffer.alloc(32, 7).toString("base64")}`;

export type SecondProcess = {
  application: Application;
  /** Starts a worker. @returns a function that stops it */
  work(): Promise<() => Promise<void>>;
  /** A browser of this server that carries the session another browser has. */
  browserLike(other: Browser): Promise<Browser>;
};

/**
 * The product once more on the same database, sharing nothing else with the first: own pool, budget, tokens, locks.
 * @param options.program name and release that its runs carry
 * @param options.dataDir a data folder of its own; by default that of the first
 */
export async function startSecondProcess(
  app: TestApp,
  { program, dataDir }: { program?: string; dataDir?: string } = {},
): Promise<SecondProcess> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db);
  const url = databaseUrl(inject("databaseUrl"), rows[0]?.name ?? "");
  const { clock, ids, log } = app.application.ctx;
  const database = connectDatabase(url, log, {
    ...WORK_LIMITS,
    ...(program === undefined ? {} : { program }),
  });
  const ctx = { db: database.db, clock, ids, log };
  const application = await createApplication({
    config: { ...app.config, ...(dataDir === undefined ? {} : { dataDir }) },
    ctx,
    sealingKeys: parseSealingKeys(SEALING_KEYS),
  });
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    await app.clock.during(Promise.allSettled(stops.map((stop) => stop())));
    await database.close();
  });
  return {
    application,
    work: async () => {
      const stop = await startWorker({ application, connectionString: url });
      stops.push(stop);
      return stop;
    },
    browserLike: async (other) => {
      const web = await createWebServer(application, {
        pagesFolder: PAGES,
        changes: await createChangeFeed(url, ctx),
      });
      const port = await freePort();
      await web.listen({ port, host: "localhost" });
      stops.unshift(() => web.close());
      const browser = createBrowser(`http://localhost:${port}`, app.intuit, app.clock);
      for (const [name, value] of other.cookies) browser.cookies.set(name, value);
      return browser;
    },
  };
}
