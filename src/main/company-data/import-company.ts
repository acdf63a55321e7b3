import { access } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from } from "pg-copy-streams";
import { findCompany } from "#features/companies/index.ts";
import { withSummary } from "#features/invoices/index.ts";
import type { ReadTarFile } from "#formats/tar/read-tar.ts";
import { ObjectMissing, type ObjectStore } from "#integrations/objects/object-store.ts";
import { createJournal } from "#integrations/objects/journal.ts";
import { connectDatabase, joinTransaction, MIGRATION_LIMITS, type Db } from "#platform/db/connect.ts";
import { listMigrations } from "#platform/db/migrate.ts";
import { auditedBy, OperatorError, type Operator } from "../operator/command.ts";
import { serialsPath } from "../storage.ts";
import { requireObjects } from "../operator/backup/require-objects.ts";
import { endOpenWork, type EndedWork } from "./end-open-work.ts";
import { tablePath, USERS, type CompanyManifest } from "./manifest.ts";
import { orderTables, quote, readCatalog, type CatalogTable } from "./read-catalog.ts";
import { COMPANY_TABLES } from "./tables.ts";
import { damaged, openExport, verifyExport } from "./verify-export.ts";

/**
 * Reads an exported company into an installation that doesn't have it. The whole export is checked before anything is
 * written, and its rows come in one transaction. The company is disconnected: the user who connects it at Intuit becomes its
 * admin. What was open has ended, and nothing of it is repeated.
 * @returns a report
 * @throws OperatorError if the export is damaged or of another version, or the company is here already
 */
export async function importCompany(operator: Operator, file: string): Promise<string> {
  const { config, connectionString, ctx } = operator;
  await access(file).catch(() => {
    throw new OperatorError(`There is no file ${file}.`);
  });
  const content = await verifyExport(file);
  const { company } = content;
  await requirePlace(operator, content);
  const objects = await requireObjects(operator);
  const { pool, close } = connectDatabase(config.migrationUrl ?? connectionString, ctx.log, MIGRATION_LIMITS);
  const stored: string[] = [];
  let ended: EndedWork;
  try {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("set local timezone to 'UTC'");
      await stage(client, { file, content, objects, stored });
      await fill(client, { file, content });
      ended = await endOpenWork(client, { realmId: company.id, now: ctx.clock.now() });
      await noteImport(operator, joinTransaction(client), { content, ended, files: stored.length });
      await noteSerials(client, operator, company.id);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      for (const key of stored) await objects.remove(key);
      throw error;
    } finally {
      client.release();
    }
  } finally {
    await close();
  }
  return [
    `Imported ${company.name} (${company.id}) as of ${content.made_at}: ${countRows(content)} rows, ${stored.length} stored files.`,
    "The company is disconnected: the user who connects it to QuickBooks becomes its admin.",
    ...(ended.runs > 0
      ? [`Open work that ended here, and of which nothing is repeated: ${ended.runs} runs.`]
      : []),
  ].join("\n");
}

/** @throws OperatorError if the export is of another version, or the company is here */
async function requirePlace({ config, ctx }: Operator, content: CompanyManifest): Promise<void> {
  const own = await listMigrations(ctx.db);
  const other = content.migrations.find((name, at) => own[at] !== name) ?? own[content.migrations.length];
  if (other !== undefined)
    throw new OperatorError(
      `The export is of another version (${content.release}; this is ${config.release}), and they differ in ${other.split("@", 1)[0]}. Bring both installations to one version and export again.`,
    );
  if (await findCompany(ctx.db, content.company.id))
    throw new OperatorError(
      `This installation has ${content.company.name} (${content.company.id}) already, so nothing was imported. Delete it first, or import into another installation.`,
    );
}

const isMoved = (table: string) => COMPANY_TABLES[table]?.use === "moves";

const countRows = ({ tables }: CompanyManifest): number =>
  tables.reduce((sum, { name, rows }) => sum + (isMoved(name) ? rows : 0), 0);

type Staged = { file: string; content: CompanyManifest; objects: ObjectStore; stored: string[] };

/** Loads the tables as texts and their files, and stores the other files. */
async function stage(client: pg.ClientBase, { file, content, objects, stored }: Staged): Promise<void> {
  await client.query("create temp table incoming_file (path text primary key, content bytea) on commit drop");
  const keys = new Map(content.files.flatMap(({ path, key }) => (key === undefined ? [] : [[path, key]])));
  const tables = new Map(content.tables.map((table) => [tablePath(table.name), table]));
  for await (const part of openExport(file)) {
    const table = tables.get(part.path);
    const key = keys.get(part.path);
    if (table && (isMoved(table.name) || table.name === USERS)) await stageTable(client, table, part);
    else if (key !== undefined) {
      if (!isOwnKey(key, content.company.id) || (await isStored(objects, key)))
        throw damaged(file, part.path);
      const received = await objects.receive(part.content);
      await received.keep(key);
      stored.push(key);
    } else if (!table && part.path.startsWith("files/"))
      await client.query("insert into incoming_file (path, content) values ($1, $2)", [
        part.path,
        await buffer(part.content),
      ]);
  }
}

const isStored = (objects: ObjectStore, key: string) =>
  objects.read(key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ObjectMissing) return false;
      throw error;
    },
  );

const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Whether a stored file's key can be one of this company. */
const isOwnKey = (key: string, realmId: string) =>
  new RegExp(`^(uploads/${UUID}\\.(xlsx|csv)|labels/${realmId}-${UUID})$`).test(key);

async function stageTable(
  client: pg.ClientBase,
  { name, columns }: CompanyManifest["tables"][number],
  { content }: ReadTarFile,
): Promise<void> {
  const texts = columns.map((column) => `${quote(column)} text`);
  await client.query(`create temp table ${incoming(name)} (${texts.join(", ")}) on commit drop`);
  await pipeline(content, client.query(from(`copy ${incoming(name)} from stdin (format csv, header match)`)));
}

const incoming = (table: string) => quote(`incoming ${table}`);

/** Moves the staged rows into their tables. @throws OperatorError if they are not those of the manifest and the company */
async function fill(
  client: pg.ClientBase,
  { file, content }: Pick<Staged, "file" | "content">,
): Promise<void> {
  await client.query(`insert into app_user (id, intuit_sub, email, first_name, last_name, groups, created_at, updated_at)
    select id::uuid, 'imported ' || id, lower(email), first_name, last_name, '{}', now(), now() from ${incoming(USERS)}
    on conflict (id) do nothing`);
  const { rows: odd } = await client.query(`select from ${incoming("upload")} i
    where i.object_key !~ ('^uploads/' || i.id || '\\.(xlsx|csv)$')
      or exists (select from upload where object_key = i.object_key)`);
  if (odd.length > 0) throw damaged(file, tablePath("upload"));
  const listed = new Map(content.tables.map((table) => [table.name, table]));
  const tables = orderTables(await readCatalog(client)).filter(({ name }) => isMoved(name));
  // Last, because its triggers are off until the commit: the trail keeps its own links.
  const ordered = [
    ...tables.filter(({ name }) => name !== TRAIL),
    ...tables.filter(({ name }) => name === TRAIL),
  ];
  for (const table of ordered) {
    const { rows } = listed.get(table.name) ?? {};
    if (rows === undefined) throw damaged(file, tablePath(table.name));
    if (table.name === TRAIL) await client.query(`alter table ${TRAIL} disable trigger user`);
    const filled = await fillTable(client, table, content.company.id);
    if (filled !== rows) throw damaged(file, tablePath(table.name));
  }
  await client.query(`alter table ${TRAIL} enable trigger user`);
}

const TRAIL = "audit_entry";

/** @returns the number of rows, all of the company and with all of their files */
async function fillTable(
  client: pg.ClientBase,
  { name, columns }: CatalogTable,
  realmId: string,
): Promise<number | null> {
  const files = COMPANY_TABLES[name]?.files ?? {};
  const values = columns.map((column) =>
    column.name in files
      ? `(select content from incoming_file where path = i.${quote(column.name)})`
      : `i.${quote(column.name)}::${column.type}`,
  );
  const whole = Object.keys(files).map(
    (column) =>
      `(i.${quote(column)} is null or exists (select from incoming_file where path = i.${quote(column)}))`,
  );
  const { rowCount } = await client.query(
    `insert into ${quote(name)} (${columns.map((column) => quote(column.name)).join(", ")})
      select ${values.join(", ")} from ${incoming(name)} i where ${["i.realm_id = $1", ...whole].join(" and ")}`,
    [realmId],
  );
  return rowCount;
}

type Imported = { content: CompanyManifest; ended: EndedWork; files: number };

/** Counts uploads again whose work has ended, and writes the import into the company's trail. */
async function noteImport(operator: Operator, tx: Db, { content, ended, files }: Imported): Promise<void> {
  const { id: realmId } = content.company;
  for (const id of ended.uploads) await withSummary(tx, { realmId, id }, () => Promise.resolve());
  await auditedBy(operator, realmId).audit(tx, {
    action: "companies.import",
    after: { made_at: content.made_at, rows: countRows(content), files },
  });
}

/** Notes which SSCCs are given, for a later restore of this installation. */
async function noteSerials(client: pg.ClientBase, { config }: Operator, realmId: string): Promise<void> {
  const { rows } = await client.query<{ prefix: string; extension: number; next: number }>(
    "select prefix, extension, next_serial as next from label_serial where realm_id = $1",
    [realmId],
  );
  const journal = await createJournal(serialsPath(config));
  for (const { prefix, extension, next } of rows)
    await journal.append({ realm: realmId, prefix, extension, next });
}
