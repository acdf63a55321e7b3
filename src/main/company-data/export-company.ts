import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type pg from "pg";
import { to } from "pg-copy-streams";
import { tarEnd, writeTarFile } from "#formats/tar/write-tar.ts";
import { ObjectMissing, type ObjectStore } from "#integrations/objects/object-store.ts";
import type { Config } from "#platform/config/read-config.ts";
import { connectDatabase, MIGRATION_LIMITS } from "#platform/db/connect.ts";
import type { Reads } from "#platform/db/replica.ts";
import type { Ctx } from "#platform/ctx.ts";
import { MANIFEST, tablePath, USERS, type CompanyManifest, writeReadme } from "./manifest.ts";
import { orderTables, quote, readCatalog, type CatalogTable } from "./read-catalog.ts";
import { COMPANY_FILES, COMPANY_TABLES, LEFT_OUT, type CompanyTable } from "./tables.ts";

export type ExportCtx = {
  config: Pick<Config, "release" | "product">;
  connectionString: string;
  longReads: Pick<Reads, "choose">;
  ctx: Ctx;
  objects: ObjectStore;
};

/**
 * Writes all data of a company as a tar archive: files, then tables as CSV, then the manifest. Tables and the files in the
 * database are as they were at one moment; stored files are read after it, so those of every row are there, except one that
 * was removed meanwhile because of its age. Holds one stored file in memory at a time.
 * @param onFile called after each file
 */
export async function* exportCompany(
  exporting: ExportCtx,
  company: CompanyManifest["company"],
  onFile: () => void = () => {},
): AsyncGenerator<Buffer> {
  const { config, ctx, objects } = exporting;
  const modifiedAt = ctx.clock.now();
  const files: CompanyManifest["files"] = [];
  const add = async function* (path: string, content: AddedContent) {
    const hash = createHash("sha256");
    const hashed = async function* () {
      for await (const chunk of content.chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    yield* writeTarFile({ path, bytes: content.bytes, modifiedAt, content: hashed() });
    const sha256 = hash.digest("hex");
    files.push({ path, bytes: content.bytes, sha256 });
    onFile();
  };
  yield* add("README.txt", whole(writeReadme(config.product, company)));
  const database: Exported = { tables: [], stored: [], lagSeconds: null };
  yield* exportDatabase(exporting, company.id, { add, database });
  for (const { key, path } of database.stored) {
    const content = await objects.read(key).catch((error: unknown) => {
      if (error instanceof ObjectMissing) return null;
      throw error;
    });
    if (content) yield* add(path, whole(content));
  }
  const content: CompanyManifest = {
    format: 1,
    release: config.release,
    made_at: new Date(modifiedAt.getTime() - Math.ceil(database.lagSeconds ?? 0) * 1_000).toISOString(),
    company,
    tables: database.tables,
    files,
    left_out: listLeftOut(),
  };
  const text = Buffer.from(`${JSON.stringify(content, null, 1)}\n`);
  yield* writeTarFile({ path: MANIFEST, bytes: text.length, modifiedAt, content: whole(text).chunks });
  yield tarEnd();
}

type AddedContent = { bytes: number; chunks: AsyncIterable<Buffer> };

function whole(content: Buffer): AddedContent {
  const chunks = async function* () {
    yield content;
  };
  return { bytes: content.length, chunks: chunks() };
}

type Exported = Pick<CompanyManifest, "tables"> & {
  stored: { key: string; path: string }[];
  /** Lag of the replica that was read; null for the primary. */
  lagSeconds: number | null;
};
type Add = (path: string, content: AddedContent) => AsyncGenerator<Buffer>;

/**
 * Opens the file when its first piece is asked for: a stream that opens it by itself may do so after an archive that was given up
 * has dropped it, and that failure would end the process.
 */
async function* readSpooled(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/** Exports what is in the database, in one transaction. A table is spooled first, because an archive needs its size. */
async function* exportDatabase(
  { connectionString, longReads, ctx, objects }: ExportCtx,
  realmId: string,
  { add, database }: { add: Add; database: Exported },
): AsyncGenerator<Buffer> {
  const replica = await longReads.choose();
  database.lagSeconds = replica?.lagSeconds ?? null;
  const address = replica?.connectionString ?? connectionString;
  const { pool, close } = connectDatabase(address, ctx.log, MIGRATION_LIMITS);
  try {
    const client = await pool.connect();
    try {
      await client.query("begin isolation level repeatable read, read only");
      await client.query("set local timezone to 'UTC'; set local datestyle to iso");
      const tables = orderTables(await readCatalog(client));
      for (const { name } of tables)
        for (const [column, path] of Object.entries(COMPANY_TABLES[name]?.files ?? {}))
          yield* exportBytes(client, { name, column, path, realmId, add });
      const copy = async function* (name: string, columns: readonly string[], select: string) {
        const stream = client.query(to(`copy (${select}) to stdout (format csv, header)`));
        const spooled = await objects.receive(stream);
        try {
          yield* add(tablePath(name), { bytes: spooled.sizeBytes, chunks: readSpooled(spooled.path) });
        } finally {
          await spooled.drop();
        }
        database.tables.push({ name, columns: [...columns], rows: stream.rowCount });
      };
      yield* copy(USERS, USER_COLUMNS, selectUsers(tables, realmId));
      for (const table of tables)
        yield* copy(
          table.name,
          table.columns.map(({ name }) => name),
          selectRows(table, realmId),
        );
      database.stored = (await client.query<Exported["stored"][number]>(COMPANY_FILES, [realmId])).rows;
    } finally {
      // Ends the transaction too, also of a connection that is lost or has a table left to send.
      client.release(true);
    }
  } catch (error) {
    replica?.failed();
    throw error;
  } finally {
    await close();
  }
}

/** Exports a column of bytes, a file for each row that has some. */
async function* exportBytes(
  client: pg.ClientBase,
  {
    name,
    column,
    path,
    realmId,
    add,
  }: { name: string; column: string; path: string; realmId: string; add: Add },
): AsyncGenerator<Buffer> {
  await client.query(`declare files cursor for select ${path} as path, ${quote(column)} as content from ${quote(name)}
    where realm_id = ${literal(realmId)} and ${quote(column)} is not null order by 1`);
  for (;;) {
    const { rows } = await client.query<{ path: string; content: Buffer }>("fetch 1 from files");
    const [found] = rows;
    if (!found) break;
    yield* add(found.path, whole(found.content));
  }
  await client.query("close files");
}

/** Selects the rows of a table as an export has them, in the order of its key, so that equal rows give equal bytes. */
function selectRows({ name, columns, key }: CatalogTable, realmId: string): string {
  const { withheld, files } = COMPANY_TABLES[name] as CompanyTable;
  const fields = columns.map((column) => {
    const path = files?.[column.name];
    const filePath = path && `case when ${quote(column.name)} is not null then ${path} end`;
    return `${withheld?.[column.name] ?? filePath ?? quote(column.name)} as ${quote(column.name)}`;
  });
  const order = (key.length > 0 ? key : columns.map((column) => column.name)).map(
    (column) => `${quote(name)}.${quote(column)}`,
  );
  return `select ${fields.join(", ")} from ${quote(name)} where realm_id = ${literal(realmId)} order by ${order.join(", ")}`;
}

const USER_COLUMNS = ["id", "email", "first_name", "last_name"];

function selectUsers(tables: readonly CatalogTable[], realmId: string): string {
  const ids = tables.flatMap(({ name, users }) =>
    users.map((column) => `select ${quote(column)} from ${quote(name)} where realm_id = ${literal(realmId)}`),
  );
  return `select ${USER_COLUMNS.join(", ")} from app_user where id in (${ids.join(" union ")}) order by id`;
}

/** A company's id, which is digits. */
const literal = (realmId: string) => `'${realmId.replaceAll(/\D/g, "")}'`;

const listLeftOut = (): CompanyManifest["left_out"] => [
  ...Object.entries(COMPANY_TABLES).flatMap(([name, { withheld }]) =>
    Object.keys(withheld ?? {}).map((column) => ({
      name: `${name}.${column}`,
      because: "a secret, which doesn't leave",
    })),
  ),
  ...Object.entries(LEFT_OUT).map(([name, because]) => ({ name, because })),
];
