import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { ProductInstance } from "../../support/run-product.ts";
import { enterDatabase } from "./kills.ts";

/** Stage at which the process that makes labels is killed, in the order of trying; `anywhere` is a random moment. */
export const STAGES = ["anywhere", "numbers", "commit", "sheet", "labels", "download"] as const;
export type Stage = (typeof STAGES)[number];

/**
 * The table whose lock stops it there: before its sheet is read, before a number is taken, with its numbers and before its
 * labels, with its labels and before the end of the transaction.
 */
const HELD = {
  sheet: "label_settings",
  numbers: "label_serial",
  labels: "label",
  commit: "label_print",
} as const;

/** Stops label generation at a stage by a table lock. */
export async function holdLabels(
  place: ProductInstance,
  stage: Exclude<Stage, "anywhere">,
): Promise<{ untilThere(): Promise<void>; release(): Promise<void> }> {
  const clients = [await enterDatabase(place), await enterDatabase(place)] as const;
  const [first, second] = clients;
  const table = HELD[stage === "download" ? "commit" : stage];
  // Reading waits for this lock alone.
  await lock(first, table, stage === "sheet" ? "access exclusive" : "share row exclusive");
  return {
    untilThere: async () => {
      await untilWaiting(clients, table);
      if (stage !== "download") return;
      // The transaction may end, and the caller that reads the labels waits for the second lock.
      const locked = lock(second, "label", "access exclusive");
      await untilWaiting(clients, "label");
      await first.query("rollback");
      await locked;
      await untilWaiting(clients, "label");
    },
    release: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

async function lock(client: pg.Client, table: string, mode: string): Promise<void> {
  await client.query("begin");
  await client.query(`lock table ${table} in ${mode} mode`);
}

/** @throws Error when no statement waits for a lock of the table within a minute */
async function untilWaiting([client]: readonly [pg.Client, pg.Client], table: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(5)) {
    const { rowCount } = await client.query(
      "select 1 from pg_locks where relation = $1::regclass and not granted",
      [table],
    );
    if (rowCount) return;
  }
  throw new Error(`No statement waits for ${table}.`);
}
