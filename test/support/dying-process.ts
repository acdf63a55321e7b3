import type { Socket } from "node:net";
import { sql } from "kysely";
import type pg from "pg";
import { inject, onTestFinished } from "vitest";
import type { Clock } from "#platform/clock.ts";
import { connectDatabase, WORK_LIMITS } from "#platform/db/connect.ts";
import { parseSealingKeys } from "#platform/crypto/seal.ts";
import { createApplication } from "../../src/main/application.ts";
import { startWorker } from "../../src/main/run-worker.ts";
import { databaseUrl } from "./database.ts";
import { TEST_KEYS } from "./keys.ts";
import type { TestApp } from "./start-app.ts";

export type DyingProcess = {
  /** Whether it has died. */
  isDead(): boolean;
  /** Statements it has sent since it began to work. */
  statements(): number;
};

const never = () => new Promise<never>(() => undefined);

/**
 * A second worker on the same database that dies between two statements, as a killed process does: its connections
 * are cut, its transaction is lost, no statement is sent any more, and its clock stands for ever. Calls that have left are
 * answered to no one.
 * @param dies the number of the statement that it no longer sends, counted from the first that `counts`
 */
export async function startDyingProcess(
  app: TestApp,
  { dies, counts = () => true }: { dies: number; counts?: (statement: string) => boolean },
): Promise<DyingProcess> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db);
  const url = databaseUrl(inject("databaseUrl"), rows[0]?.name ?? "");
  const { clock: living, ids, log } = app.application.ctx;
  let [sent, isDead, isWorking] = [0, false, false];
  const clock: Clock = {
    ...living,
    after: (ms, work) => living.after(ms, () => void (isDead || work())),
    sleep: (ms, signal) => living.sleep(ms, signal).then(() => (isDead ? never() : undefined)),
  };
  const database = connectDatabase(url, log, WORK_LIMITS);
  const { pool } = database;
  const clients = new Set<pg.PoolClient>();
  pool.on("connect", (client) => {
    clients.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const send = async (statement: { text?: string } | string, ...others: unknown[]) => {
      if (isWorking && !isDead && counts(typeof statement === "string" ? statement : (statement.text ?? "")))
        sent += 1;
      if (isDead || sent >= dies) {
        die();
        return never();
      }
      const answer = await Promise.allSettled([query(statement, ...others)]);
      return isDead
        ? never()
        : answer[0].status === "fulfilled"
          ? answer[0].value
          : Promise.reject(answer[0].reason);
    };
    client.query = send as unknown as typeof client.query;
  });
  /** As the system does for a killed process: its connections end without a word. */
  const die = () => {
    if (isDead) return;
    isDead = true;
    for (const client of clients) {
      client.on("error", () => undefined);
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    }
  };
  const application = await createApplication({
    config: app.config,
    ctx: { db: database.db, clock, ids, log },
    sealingKeys: parseSealingKeys(TEST_KEYS),
  });
  const stop = await startWorker({ application, connectionString: url, holder: ids.uuid() });
  isWorking = true;
  onTestFinished(async () => {
    if (isDead) return;
    await app.clock.during(stop());
    await database.close();
  });
  return { isDead: () => isDead, statements: () => sent };
}
