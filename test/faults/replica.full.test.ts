import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readList, type ListPage } from "#features/admin/lists/contract.ts";
import type { Health } from "#features/health/contract.ts";
import { createBrowser } from "../support/browser.ts";
import { driveIntuit } from "../support/intuit.ts";
import { createInstance, removeInstance, runProduct } from "../support/run-product.ts";
import { SEALING_KEYS } from "./support/second-process.ts";
import { MISSING, startThreePostgres } from "./support/three-postgres.ts";

const TIMEOUT_MS = 300_000;

test.skipIf(MISSING !== null)(
  "HA-07 lists of Admin say how far a real replica is behind, and are read from the primary once that is more than a minute",
  { timeout: TIMEOUT_MS },
  async () => {
    const group = await startThreePostgres();
    const address = await group.findReplica();
    const place = await createInstance();
    onTestFinished(() => removeInstance(place));
    const product = await runProduct(place, {
      DATABASE_URL: group.url,
      REPLICA_DATABASE_URL: `postgres://dockside:dockside@${address}/dockside`,
      DATABASE_STANDBYS: "1",
      SEALING_KEYS,
      GROUP_ADMIN: "owner@acme.example",
      LOG_LEVEL: "warn",
    });
    onTestFinished(async () => void (await product.stop()));
    const operator = createBrowser(product.url, driveIntuit(product.intuitUrl));
    await operator.signIn("owner@acme.example");
    const readMessages = async () => {
      const reply = await operator.call(readList, { params: { list: "messages" } });
      const { rows, replica_lag_seconds: lag } = reply.json() as Extract<ListPage, { list: "messages" }>;
      return { names: rows.map(({ name }) => name), lag };
    };
    const untilRead = async (isRight: (read: Awaited<ReturnType<typeof readMessages>>) => boolean) => {
      for (;;) {
        const read = await readMessages();
        if (isRight(read)) return read;
        await wait(500);
      }
    };
    const [primary, replica] = [
      await connect(group.url),
      await connect(`postgres://postgres:super@${address}/dockside`),
    ];
    const leaveMessage = (name: string) =>
      primary.query(
        `insert into contact_message (id, name, email, topic, message, sent_at)
          values (gen_random_uuid(), $1, 'a@b.example', 'other', 'hello', now())`,
        [name],
      );

    await leaveMessage("first");
    expect(await untilRead(({ names }) => names.includes("first"))).toEqual({
      names: ["first"],
      lag: expect.any(Number) as number,
    });

    // Patroni ends a pause of the replay by itself, so its process is stopped.
    const { rows } = await replica.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'startup'",
    );
    const replay = rows[0]?.pid ?? 0;
    process.kill(replay, "SIGSTOP");
    await leaveMessage("second");
    const behind = await untilRead(({ lag }) => lag !== null && lag > 5);
    expect(behind.names).toEqual(["first"]);

    const late = await untilRead(({ lag }) => lag === null);
    expect(late.names.toSorted()).toEqual(["first", "second"]);
    const { database, failing } = (await operator.request("/readyz")).json() as Health & {
      failing: string[];
    };
    expect(failing).toContain("replica");
    expect(database?.replica?.fault).toMatch(/^The replica is 6\d s behind, so lists, exports, and backups/);

    process.kill(replay, "SIGCONT");
    const again = await untilRead(({ lag }) => lag !== null);
    expect(again.names.toSorted()).toEqual(["first", "second"]);
    expect(again.lag).toBeLessThan(5);
  },
);

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  // The group ends before it.
  client.on("error", () => undefined);
  onTestFinished(() => client.end());
  await client.connect();
  return client;
}
