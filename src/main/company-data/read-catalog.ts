import type pg from "pg";
import { COMPANY_TABLES } from "./tables.ts";

export type Column = { name: string; type: string };

/** A table as the database has it. */
export type CatalogTable = {
  name: string;
  columns: Column[];
  /** Columns of its primary key; empty for none. */
  key: string[];
  /** Columns that refer to users. */
  users: string[];
  /** Tables that it refers to. */
  refersTo: string[];
};

const TABLES = `select c.relname as name,
    (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    (select coalesce(json_agg(attname order by array_position(indkey::int2[], attnum)), '[]')
      from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
      where indrelid = c.oid and indisprimary) as key,
    (select coalesce(json_agg(attname), '[]')
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
      where conrelid = c.oid and contype = 'f' and confrelid = 'app_user'::regclass) as users,
    (select coalesce(json_agg(confrelid::regclass::text), '[]') from pg_constraint
      where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as "refersTo"
  from pg_class c
  where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace and relname not like 'kysely\\_%'
  order by relname`;

/** Reads every table of the database but those of the migrations. */
export async function readCatalog(client: pg.ClientBase): Promise<CatalogTable[]> {
  const { rows } = await client.query<CatalogTable>(TABLES);
  // Its user has no foreign key, because an entry never changes.
  return rows.map((table) => (table.name === "audit_entry" ? { ...table, users: ["user_id"] } : table));
}

/** Orders some tables, by default those of an export: those first that others refer to. */
export function orderTables(
  catalog: readonly CatalogTable[],
  names: ReadonlySet<string> = new Set(Object.keys(COMPANY_TABLES)),
): CatalogTable[] {
  const open = new Map(catalog.flatMap((table) => (names.has(table.name) ? [[table.name, table]] : [])));
  const ordered: CatalogTable[] = [];
  while (open.size > 0) {
    const ready = [...open.values()].filter(({ refersTo }) => refersTo.every((name) => !open.has(name)));
    if (ready.length === 0) throw new Error("Tables refer to each other in a circle.");
    for (const table of ready) open.delete(table.name);
    ordered.push(...ready);
  }
  return ordered;
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
