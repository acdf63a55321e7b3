import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig, type Config } from "#platform/config/read-config.ts";
import { seal, unseal } from "#platform/crypto/seal.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../test/support/database.ts";
import { startRelay } from "../../test/support/relay.ts";
import { steppedClock } from "../../test/support/stepped-clock.ts";
import { findDatabaseFault } from "./find-database-fault.ts";
import { findSealingKeysFault, openSealingKeys } from "./sealing-keys.ts";

async function makeConfig(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "dockside-keys-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { folder, config: readConfig({ DATA_DIR: folder, ...env }) };
}

async function emptyDatabase() {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  return db;
}

/** By a clock that moves as far as the search for a fault takes. */
function findFault(config: Config) {
  const clock = steppedClock();
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(JSON.parse(line).msg) });
  return { clock, lines, fault: clock.during(findDatabaseFault(config, { clock, log })) };
}

const KEY = Buffer.alloc(32, 1).toString("base64");

test("sealing keys are made once, for their owner only, and the next start opens what the first one sealed", async () => {
  const { folder, config } = await makeConfig();
  expect(await findSealingKeysFault(config)).toBeNull();
  const db = await emptyDatabase();
  const first = await openSealingKeys(config, db);
  expect((await stat(join(folder, "sealing-keys"))).mode & 0o777).toBe(0o600);
  const [second, third] = await Promise.all([openSealingKeys(config, db), openSealingKeys(config, db)]);
  const sealed = seal(first, "connection-1", "secret");
  expect([second, third].map((keys) => unseal(keys, "connection-1", sealed))).toEqual(["secret", "secret"]);
});

test("configured sealing keys take precedence over those in the folder, and nothing is written", async () => {
  const { folder, config } = await makeConfig({ SEALING_KEYS: `a:${KEY},b:${KEY}` });
  expect(await findSealingKeysFault(config)).toBeNull();
  expect((await openSealingKeys(config, await emptyDatabase())).map(({ id }) => id)).toEqual(["a", "b"]);
  await expect(readFile(join(folder, "sealing-keys"))).rejects.toThrow("ENOENT");
});

test.each(["", "k1", `k1:${KEY},`, "k1:AAAA", `:${KEY}`])(
  "damaged sealing keys are a fault and are not replaced: %j",
  async (text) => {
    const { folder, config } = await makeConfig();
    const file = join(folder, "sealing-keys");
    await writeFile(file, text);
    const fault = await findSealingKeysFault(config);
    expect(fault).toContain(`The sealing keys in ${file} cannot be read`);
    expect(fault).not.toContain(KEY);
    expect(await readFile(file, "utf8")).toBe(text);
  },
);

test("existing sealing keys that can't be read are a fault, not a reason to make others", async () => {
  const { folder, config } = await makeConfig();
  // As a file of another user, for users who may read everything.
  await mkdir(join(folder, "sealing-keys"));
  expect(await findSealingKeysFault(config)).toContain("cannot be read: put the file back from a backup");
});

test("HA-01 keys that are only on this machine are refused for a database on another one", async () => {
  const findKeyFault = async (databaseUrl: string, env: Record<string, string> = {}) => {
    const { config } = await makeConfig({ DATABASE_URL: databaseUrl, ...env });
    return findSealingKeysFault(config);
  };
  for (const here of ["localhost:5433", "127.0.0.1", "[::1]:5432", "localhost"])
    expect(await findKeyFault(`postgres://a:b@${here}/books`)).toBeNull();
  expect(await findKeyFault("postgres://a:b@localhost/books?host=/run/postgresql")).toBeNull();
  expect(await findKeyFault("postgres://a:b@db.example/books")).toMatch(
    /^The database of DATABASE_URL is on another machine or has standbys, and SEALING_KEYS is not set: .* the same on every machine\.$/,
  );
  expect(await findKeyFault("postgres://a:b@localhost/books", { DATABASE_STANDBYS: "1" })).toMatch(
    /has standbys, and SEALING_KEYS is not set/,
  );
  expect(await findKeyFault("postgres://a:b@db.example/books", { SEALING_KEYS: `k1:${KEY}` })).toBeNull();
});

test("a usable database is not a fault; a missing one is reported by name", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { config } = await makeConfig();
  expect(await findFault({ ...config, databaseUrl: null }).fault).toBeNull();
  expect(await findFault({ ...config, databaseUrl: database.url }).fault).toBeNull();
  const missing = new URL(database.url);
  missing.pathname = "/no_such_database";
  expect(await findFault({ ...config, databaseUrl: missing.href }).fault).toMatch(
    /^The database no_such_database at .* cannot be used: there is no database of this name; .*DATABASE_URL.*\.$/,
  );
});

test.each([
  ["postgres://me:hunter2@localhost:1/books", "nothing answers there"],
  ["postgres://me:hunter2@no-such-host.invalid/books", "there is no such host"],
])("a database that does not answer is reported without its password: %s", async (databaseUrl, reason) => {
  const { config } = await makeConfig();
  const fault = await findFault({ ...config, databaseUrl }).fault;
  expect(fault).toContain(reason);
  expect(fault).not.toContain("hunter2");
});

test("HA-01 a start waits up to a minute for a database that changes to another server, and says so", async () => {
  const database = await createTestDatabase();
  const relay = await startRelay(database.url);
  onTestFinished(async () => {
    await relay.stop();
    await database.drop();
  });
  const { config } = await makeConfig();
  relay.refuse();
  const gone = findFault({ ...config, databaseUrl: relay.url });
  const startedAt = gone.clock.steadyMs();
  expect(await gone.fault).toMatch(/cannot be used: it .*; start it, or set DATABASE_URL to another one\.$/);
  expect(gone.clock.steadyMs() - startedAt).toBeGreaterThanOrEqual(60_000);
  const { clock, lines, fault } = findFault({ ...config, databaseUrl: relay.url });
  void clock.sleep(20_000).then(relay.admit);
  expect(await fault).toBeNull();
  expect(lines.length).toBeGreaterThan(1);
  expect(lines[0]).toMatch(/^The database .* cannot be used yet: .*\. Trying again for up to a minute\.$/);
});

test.each([
  ["refuses what the product sets when it connects", "refuses limits"],
  ["gives two connections one session in turn", "shares"],
] as const)("HA-09 a pooler in transaction mode that %s is refused with a sentence", async (_, manner) => {
  const database = await createTestDatabase();
  const relay = await startRelay(database.url, manner);
  onTestFinished(async () => {
    await relay.stop();
    await database.drop();
  });
  const { config } = await makeConfig();
  const pooled = {
    DATABASE_URL: "databaseUrl",
    MIGRATION_DATABASE_URL: "migrationUrl",
    REPLICA_DATABASE_URL: "replicaUrl",
  };
  for (const [variable, key] of Object.entries(pooled))
    expect(await findFault({ ...config, databaseUrl: database.url, [key]: relay.url }).fault).toMatch(
      new RegExp(
        `cannot be used: a connection pooler in transaction mode stands before it, .*; set ${variable} to PostgreSQL itself\\.$`,
      ),
    );
});

test("HA-07 HA-09 a replica that responds, is away, or has another name keeps no start waiting", async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const { config } = await makeConfig();
  const missing = new URL(database.url);
  missing.pathname = "/no_such_database";
  for (const replicaUrl of [database.url, "postgres://me:hunter2@localhost:1/books", missing.href]) {
    const { clock, lines, fault } = findFault({ ...config, databaseUrl: database.url, replicaUrl });
    const startedAt = clock.steadyMs();
    expect(await fault).toBeNull();
    expect([clock.steadyMs() - startedAt < 3_000, lines]).toEqual([true, []]);
  }
});
