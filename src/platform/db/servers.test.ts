import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { showHealth, type Health } from "#features/health/contract.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { findStandbyFault, readServers } from "#platform/db/servers.ts";
import { createLog } from "#platform/log.ts";
import { installPrebuiltDatabase } from "../../../test/support/made-database.ts";
import { startApp } from "../../../test/support/start-app.ts";

/** A server that standbys can follow: `node2` is synchronous, and `node3` takes its place. */
async function startPrimary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dockside-primary-"));
  await installPrebuiltDatabase(folder);
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    log: createLog("silent"),
    settings: {
      fsync: "off",
      wal_level: "replica",
      max_wal_senders: "4",
      synchronous_standby_names: "FIRST 1 (node2, node3)",
      // These standbys keep nothing, so that no change waits for them.
      synchronous_commit: "local",
    },
  });
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return server.connectionString;
}

/** Follows a server as a standby does, and says that it has all. @returns a function that ends it */
async function follow(serverUrl: string, name: string): Promise<() => Promise<void>> {
  const config = { connectionString: serverUrl, application_name: name, replication: "true" };
  const client: pg.Client & { connection?: pg.Connection } = new pg.Client(config);
  // The server ends before it where a test fails.
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ xlogpos: string }>("IDENTIFY_SYSTEM");
  const place = rows[0]?.xlogpos ?? "";
  const started = new Promise((resolve) => client.connection?.once("replicationStart", resolve));
  // It answers at its end.
  client.query(`START_REPLICATION PHYSICAL ${place}`).catch(() => undefined);
  await started;
  const [high = "0", low = "0"] = place.split("/");
  const has = Buffer.alloc(34);
  has.write("r");
  for (const offset of [1, 9, 17]) {
    has.writeUInt32BE(Number.parseInt(high, 16), offset);
    has.writeUInt32BE(Number.parseInt(low, 16), offset + 4);
  }
  (client.connection as unknown as { sendCopyFromChunk(chunk: Buffer): void }).sendCopyFromChunk(has);
  return () => client.end();
}

test("HA-06 /readyz and Admin name the standbys that follow the primary, and say so when the synchronous ones are too few", async () => {
  const serverUrl = await startPrimary();
  const env = { DATABASE_STANDBYS: "1", GROUP_ADMIN: "platform@dockside.example" };
  const app = await startApp({ worker: false, serverUrl, env });
  const operator = app.browser();
  await operator.signIn("platform@dockside.example");
  type Readiness = Health & { ready: boolean; failing: string[] };
  /** As operators see it and as a probe does, once as many standbys follow. */
  const read = async (count: number) => {
    for (;;) {
      const { database } = (await operator.call(showHealth)).json() as Health;
      if (database?.standbys?.length !== count) continue;
      const probed = (await app.browser().request("/readyz")).json() as Readiness;
      expect(probed.database).toMatchObject({ timeline: "00000001", fault: database.fault });
      const standbys = database.standbys.map(({ name, is_synchronous: isSynchronous }) => [
        name,
        isSynchronous,
      ]);
      return { standbys, fault: database.fault, ready: probed.ready, failing: probed.failing };
    }
  };
  const alone = {
    ready: true,
    failing: ["standbys"],
    fault: expect.stringMatching(/^0 of 1 synchronous standbys are connected: new data is stored on one/),
  };
  const whole = { ready: true, failing: [], fault: null };
  expect(await read(0)).toEqual({ standbys: [], ...alone });
  const ends: Record<string, () => Promise<void>> = {};
  for (const name of ["node2", "node3", "node4"]) ends[name] = await follow(serverUrl, name);
  expect(await read(3)).toEqual({
    standbys: [
      ["node2", true],
      ["node3", false],
      ["node4", false],
    ],
    ...whole,
  });
  await ends["node2"]?.();
  expect(await read(2)).toEqual({
    standbys: [
      ["node3", true],
      ["node4", false],
    ],
    ...whole,
  });
  await ends["node3"]?.();
  expect(await read(1)).toEqual({ standbys: [["node4", false]], ...alone });
  // Another user of the same database.
  const seen = await app.db.transaction().execute(async (tx) => {
    await sql`create role limited`.execute(tx);
    await sql`set local role limited`.execute(tx);
    return readServers(tx);
  });
  expect(seen.standbys).toBeNull();
  expect(findStandbyFault(seen, 1)).toMatch(/may not see standbys: grant it the role pg_monitor\.$/);
});
