import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { ObjectMissing, type ObjectStore } from "#integrations/objects/object-store.ts";
import { copyTablesOut } from "#platform/db/copy-tables.ts";
import { connectDatabase, MIGRATION_LIMITS, type Db } from "#platform/db/connect.ts";
import { openReads, type ChosenReplica } from "#platform/db/replica.ts";
import { listMigrations } from "#platform/db/migrate.ts";
import { readSealingKeys } from "../../sealing-keys.ts";
import { JOURNAL_FILE, openJournal } from "../../storage.ts";
import { auditedBy, OperatorError, type Operator } from "../command.ts";
import { requireObjects } from "./require-objects.ts";
import { findManifest, fingerprintKeys, writeManifest, type Manifest } from "./manifest.ts";
import { DAY_MS } from "#platform/time.ts";

/**
 * Writes a backup into a new folder below `folder`, while the product runs or not, and removes those there that are older than
 * BACKUP_RETENTION_DAYS. The order is what makes it whole: documents are read after the moment at which the database is
 * seen, because a document is stored before its row; the journal of promises last, because it must know of every number.
 * @throws OperatorError if the product has never run on this database
 */
export async function makeBackup(operator: Operator, folder: string): Promise<string> {
  const { ctx } = operator;
  const installation = await findInstallation(ctx.db);
  const objects = await requireObjects(operator);
  const madeAt = ctx.clock.now();
  const name = madeAt.toISOString().replaceAll(/[:.]/g, "-");
  const place = join(resolve(folder), name);
  await mkdir(place, { recursive: true, mode: 0o700 });
  const longReads = openReads(operator.config.replicaUrl, ctx);
  const replica = await longReads.choose();
  await longReads.close();
  const copied = replica
    ? await copyDatabase(operator, place, replica).catch(async (error: unknown) => {
        ctx.log.warn({ err: error }, "The replica failed during a backup, so the primary is read");
        await rm(join(place, "database"), { recursive: true, force: true });
        return null;
      })
    : null;
  const database = copied ?? (await copyDatabase(operator, place, null));
  const documents = await copyObjects(objects, place);
  const journal = await copyJournal(operator, place);
  const files = [...database.files, ...documents, ...journal];
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  await writeManifest(place, {
    format: 1,
    release: operator.config.release,
    madeAt: database.seenAt.toISOString(),
    installation,
    migrations: database.migrations,
    sealingKeys: fingerprintKeys(await readSealingKeys(operator.config)),
    tables: database.tables,
    files,
  });
  const removed = await removeOld(operator, resolve(folder), { keep: name, installation });
  const audited = auditedBy(operator, null);
  await audited.audit(ctx.db, {
    action: "backup.make",
    after: { name, rows, documents: documents.length, bytes },
  });
  if (removed.length > 0)
    await audited.audit(ctx.db, { action: "backup.remove", before: { names: removed } });
  return [
    `Backed up to ${place}: ${rows} rows, ${documents.length} documents, ${Math.ceil(bytes / 1e6)} MB.`,
    ...(copied && replica ? [`The database was read from the replica, ${replica.lagSeconds} s behind.`] : []),
    ...removed.map((old) => `Removed the old backup ${old}.`),
  ].join("\n");
}

type CopiedFile = Manifest["files"][number];

async function findInstallation(db: Db): Promise<Manifest["installation"]> {
  const { rows: tables } = await sql<{ found: boolean }>`select to_regclass('installation') is not null
    as found`.execute(db);
  const { rows } = tables[0]?.found
    ? await sql<Manifest["installation"]>`select id, kind from installation`.execute(db)
    : { rows: [] };
  const [installation] = rows;
  if (!installation)
    throw new OperatorError("There is nothing to back up: the product has not run on this database.");
  return installation;
}

/** @param replica read instead of the database itself */
async function copyDatabase(
  { connectionString, ctx }: Operator,
  place: string,
  replica: ChosenReplica | null,
) {
  // A large table takes longer than other commands may.
  const address = replica?.connectionString ?? connectionString;
  const { db, pool, close } = connectDatabase(address, ctx.log, MIGRATION_LIMITS);
  await mkdir(join(place, "database"), { mode: 0o700 });
  const files: CopiedFile[] = [];
  let seenAt = ctx.clock.now();
  const client = await pool.connect();
  try {
    const tables = await copyTablesOut(
      client,
      async (table, rows) => void files.push(await saveStream(place, `database/${table}.copy`, rows)),
      async () => {
        seenAt = replica?.completeUntil ?? ctx.clock.now();
      },
    );
    return { files, tables, seenAt, migrations: await listMigrations(db) };
  } finally {
    client.release(true);
    await close();
  }
}

async function saveStream(place: string, path: string, stream: Readable): Promise<CopiedFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(stream, counted, createWriteStream(join(place, path), { flush: true, mode: 0o600 }));
  return { path, bytes, sha256: hash.digest("hex") };
}

async function copyObjects(objects: ObjectStore, place: string): Promise<CopiedFile[]> {
  const files: CopiedFile[] = [];
  for await (const key of objects.list()) {
    // Removed meanwhile because of its age.
    const content = await objects.read(key).catch((error: unknown) => {
      if (error instanceof ObjectMissing) return null;
      throw error;
    });
    if (content === null) continue;
    const path = `objects/${key}`;
    await mkdir(dirname(join(place, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(place, path), content, { flush: true, mode: 0o600 });
    files.push({ path, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") });
  }
  return files;
}

async function copyJournal({ config, ctx }: Operator, place: string): Promise<CopiedFile[]> {
  const text = await openJournal(config, ctx).readText();
  // Nothing was promised yet.
  if (text === "") return [];
  const path = JOURNAL_FILE;
  await writeFile(join(place, path), text, { flush: true, mode: 0o600 });
  return [{ path, bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") }];
}

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/**
 * Removes old backups of the same installation, and those that did not end within a day. Other folders are left alone.
 * @returns their names
 */
async function removeOld(
  { config, ctx }: Operator,
  folder: string,
  { keep, installation }: { keep: string; installation: Manifest["installation"] },
): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    if (name === keep || !NAME.test(name)) continue;
    const found = await findManifest(join(folder, name));
    if (found && found.installation.id !== installation.id) continue;
    const at = Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)-/, "T$1:$2:$3."));
    const days = found ? config.backupRetentionDays : 1;
    if (ctx.clock.now().getTime() - at <= days * DAY_MS) continue;
    await rm(join(folder, name), { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}
