import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sql } from "kysely";
import { repeatUndos } from "#features/invoices/index.ts";
import { listForgottenSerials } from "#features/labels/index.ts";
import { continueShipping } from "#features/shipping/index.ts";
import { continueOrders } from "#features/orders/index.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import { copyTablesIn } from "#platform/db/copy-tables.ts";
import { connectDatabase, MIGRATION_LIMITS, type Db } from "#platform/db/connect.ts";
import { migrateAs, UnknownMigration } from "#platform/db/migrate.ts";
import { migrate } from "../../migrate.ts";
import { readSealingKeys } from "../../sealing-keys.ts";
import { JOURNAL_FILE, openJournal } from "../../storage.ts";
import { auditedBy, OperatorError, type Operator } from "../command.ts";
import { requireObjects } from "./require-objects.ts";
import { fingerprintKeys, readManifest, type Manifest } from "./manifest.ts";
import { reportLost, type Promised } from "./report-lost.ts";
import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";

/** Sessions and kept answers: a user who was signed out or blocked since, or whose access ended, would have them again. */
const NOT_RESTORED = ["session", "kept_answer"];

/**
 * Puts a backup into an empty database and an empty store of documents, of this version or an older one, and brings it up to
 * this version. Everything is checked before anything is written. An existing journal of serials is kept and completed: it
 * may know of numbers given after the backup.
 * @returns a report that says which work lies behind the backup
 * @throws OperatorError if the backup is damaged or newer, the place isn't empty, or the sealing keys are others
 */
export async function restoreBackup(operator: Operator, folder: string): Promise<string> {
  const { config, connectionString, ctx } = operator;
  const place = resolve(folder);
  const { tables, ...about } = await readManifest(place);
  const manifest = { ...about, tables: tables.filter(({ name }) => !NOT_RESTORED.includes(name)) };
  await requireKeys(operator, manifest);
  const objects = await requireObjects(operator);
  await requireEmpty(operator, objects);
  await verifyFiles(place, manifest);
  const hadJournal = (await openJournal(config, ctx).readText()) !== "";
  await fillDatabase(operator, place, manifest);
  await fillObjects(objects, place, manifest);
  await completeJournal(operator, place, manifest);
  await migrate({ config, connectionString, log: ctx.log });
  const promised = await continuePromises(operator, manifest);
  const audited = auditedBy(operator, null);
  await audited.audit(ctx.db, { action: "backup.restore", after: { made_at: manifest.madeAt } });
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const documents = manifest.files.filter(({ path }) => path.startsWith("objects/")).length;
  return [
    `Restored the backup of ${manifest.madeAt}: ${rows} rows, ${documents} documents.`,
    await reportLost(operator, { madeAt: manifest.madeAt, hadJournal, promised }),
  ].join("\n");
}

/** The keys must open the backup's tokens: with others every connection would be lost. */
async function requireKeys({ config }: Operator, { sealingKeys }: Manifest): Promise<void> {
  const own = fingerprintKeys(await readSealingKeys(config));
  const lacking = sealingKeys.filter(
    ({ id, fingerprint }) => !own.some((key) => key.id === id && key.fingerprint === fingerprint),
  );
  if (lacking.length === 0) return;
  const names = lacking.map(({ id, fingerprint }) => `${id} (fingerprint ${fingerprint})`).join(", ");
  const are = own.length === 0 ? "there are none here" : "those here are others";
  throw new OperatorError(
    `The backup needs the sealing key ${names}, and ${are}: set SEALING_KEYS to the keys of the backed-up installation, or copy its file sealing-keys to ${config.dataDir}.`,
  );
}

async function requireEmpty({ config, ctx }: Operator, objects: ObjectStore): Promise<void> {
  const { rows } = await sql`select from pg_class where relkind = 'r'
    and relnamespace = current_schema()::regnamespace limit 1`.execute(ctx.db);
  if (rows.length > 0)
    throw new OperatorError(
      "The database is not empty, so nothing was restored: choose an empty DATABASE_URL or DATA_DIR.",
    );
  for await (const key of objects.list())
    throw new OperatorError(
      `There are documents already, such as ${key}, so nothing was restored: choose an empty ${config.objects ? "OBJECTS_S3_BUCKET" : "DATA_DIR"}.`,
    );
}

async function verifyFiles(place: string, { files, tables }: Manifest): Promise<void> {
  const lacking = tables.find(({ name }) => !files.some(({ path }) => path === `database/${name}.copy`));
  if (lacking) throw damaged(place, `database/${lacking.name}.copy`);
  for (const { path, bytes, sha256 } of files) {
    const size = await stat(join(place, path)).then(
      (found) => found.size,
      () => null,
    );
    if (size !== bytes || (await hashFile(join(place, path))) !== sha256) throw damaged(place, path);
  }
}

const damaged = (place: string, path: string) =>
  new OperatorError(
    `The backup in ${place} is damaged: ${path} is missing or was changed. Nothing was restored; use another backup.`,
  );

async function fillDatabase(operator: Operator, place: string, manifest: Manifest): Promise<void> {
  const { config, connectionString, ctx } = operator;
  const { db, pool, close } = connectDatabase(
    config.migrationUrl ?? connectionString,
    ctx.log,
    MIGRATION_LIMITS,
  );
  try {
    await migrateTo(db, manifest);
    const client = await pool.connect();
    try {
      await copyTablesIn(client, manifest.tables, join(place, "database"));
    } finally {
      client.release();
    }
  } finally {
    await close();
  }
}

async function migrateTo(db: Db, { release, migrations }: Manifest): Promise<void> {
  try {
    await migrateAs(db, migrations);
  } catch (error) {
    if (!(error instanceof UnknownMigration)) throw error;
    throw new OperatorError(
      `The backup is of another version (${release}, with its migration ${error.message}), which this one doesn't know: restore it with that version or a newer one.`,
    );
  }
}

async function fillObjects(
  objects: ObjectStore,
  place: string,
  { files, installation }: Manifest,
): Promise<void> {
  await objects.belongsTo(installation.id);
  for (const { path } of files) {
    if (!path.startsWith("objects/")) continue;
    const received = await objects.receive(createReadStream(join(place, path)));
    await received.keep(path.slice("objects/".length));
  }
}

/** Lets nothing be done twice that the journal knows and the backup doesn't. @returns it */
async function continuePromises({ config, ctx }: Operator, { madeAt }: Manifest): Promise<Promised> {
  const promises = { db: ctx.db, journal: openJournal(config, ctx) };
  const since = new Date(madeAt);
  await repeatUndos(promises, { since, now: ctx.clock.now() });
  return {
    serials: await listForgottenSerials(promises),
    ...(await continueShipping(promises, since)),
    ...(await continueOrders(promises, since)),
  };
}

/** Adds the lines that the journal here lacks: later lines count more. */
async function completeJournal({ config, ctx }: Operator, place: string, { files }: Manifest): Promise<void> {
  const path = files.find((file) => file.path === JOURNAL_FILE)?.path;
  if (path) await openJournal(config, ctx).addMissing(await readFile(join(place, path), "utf8"));
}

/** @returns the SHA-256 of a file, in hexadecimal digits */
async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash);
  return hash.digest("hex");
}

const READ_BYTES = 1024 * 1024;
