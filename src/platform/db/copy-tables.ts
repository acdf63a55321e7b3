import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from, to } from "pg-copy-streams";

/** A table in a folder of copies: the file NAME.copy there has its rows, in PostgreSQL's text format. */
export type CopiedTable = { name: string; columns: string[]; rows: number };

/** Unlogged tables hold what a crash may lose, and Kysely's are written by the migrations. */
const TABLES = `select relname as name, array_agg(attname::text order by attnum) as columns
  from pg_class join pg_attribute on attrelid = pg_class.oid
  where relkind in ('r', 'p') and not relispartition and relpersistence = 'p' and relnamespace = current_schema()::regnamespace
    and relname not like 'kysely\\_%' and attnum > 0 and not attisdropped and attgenerated = ''
  group by relname order by relname`;

/**
 * Copies every table out, as all of them were at one moment. The schema has no sequences.
 * @param client whose connection the caller closes: after a failure it may have rows left to send
 * @param save stores one table's rows
 * @param whenSeen called as soon as the moment is fixed
 */
export async function copyTablesOut(
  client: pg.ClientBase,
  save: (table: string, rows: Readable) => Promise<void>,
  whenSeen: () => Promise<void>,
): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = [];
  await client.query("begin isolation level repeatable read, read only");
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(TABLES);
  await whenSeen();
  for (const { name, columns } of tables) {
    // PostgreSQL copies a divided table only as a query.
    const stream = client.query(to(`copy (${selectColumns(name, columns)}) to stdout`));
    await save(name, stream);
    copied.push({ name, columns, rows: stream.rowCount });
  }
  return copied;
}

/** Tables that others refer to must be filled before those. */
const REFERENCES = `select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
  where contype = 'f' and conrelid <> confrelid and connamespace = current_schema()::regnamespace`;

/**
 * Copies tables into a database whose migrations are those of the copy and whose tables are empty, in one transaction.
 * Triggers don't run, so the audit trail keeps its links. Needs the tables' owner, and no superuser.
 * @throws if a table has other rows afterwards than were copied out
 */
export async function copyTablesIn(
  client: pg.ClientBase,
  tables: readonly CopiedTable[],
  folder: string,
): Promise<void> {
  await client.query("begin");
  try {
    const { rows: references } = await client.query<{ from: string; to: string }>(REFERENCES);
    for (const { name, columns, rows } of inOrder(tables, references)) {
      await client.query(`alter table ${quote(name)} disable trigger user`);
      const stream = client.query(from(`copy ${nameColumns(name, columns)} from stdin`));
      await pipeline(createReadStream(join(folder, `${name}.copy`), { highWaterMark: READ_BYTES }), stream);
      if (stream.rowCount !== rows)
        throw new Error(`${name} took ${stream.rowCount} rows, and ${rows} were copied out.`);
    }
    // Deferred until here: it waits for the checks of the rows.
    for (const { name } of tables) await client.query(`alter table ${quote(name)} enable trigger user`);
    await client.query("commit");
    await client.query("analyze");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

const READ_BYTES = 1024 * 1024;

function inOrder(
  tables: readonly CopiedTable[],
  references: readonly { from: string; to: string }[],
): CopiedTable[] {
  const ordered: CopiedTable[] = [];
  const open = new Set(tables);
  while (open.size > 0) {
    const ready = [...open].filter(({ name }) =>
      references.every(({ from, to }) => from !== name || ![...open].some((table) => table.name === to)),
    );
    if (ready.length === 0) throw new Error("Tables refer to each other in a circle.");
    for (const table of ready) open.delete(table);
    ordered.push(...ready);
  }
  return ordered;
}

const nameColumns = (table: string, columns: readonly string[]) =>
  `${quote(table)} (${columns.map(quote).join(", ")})`;
const selectColumns = (table: string, columns: readonly string[]) =>
  `select ${columns.map(quote).join(", ")} from ${quote(table)}`;
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
