import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import tables from "../../../db/tables.json" with { type: "json" };
import { createTestDatabase } from "../../../test/support/database.ts";
import { MIGRATIONS_FOLDER } from "#platform/db/migrate.ts";

const OTHERS = new Set([...Object.keys(tables.shared), ...Object.keys(tables.local)]);

/** A migration whose tables of companies are divided in three by the company. */
function divideTables(sql: string): string {
  return sql
    .replaceAll(/--.*/g, "")
    .replaceAll(/^create table (\w+) \(([\s\S]*?)\n\)([^;]*);/gm, (whole, name: string, body, storage) =>
      OTHERS.has(name)
        ? whole
        : [
            `create table ${name} (${body}) partition by hash (realm_id);`,
            ...[0, 1, 2].map(
              (rest) =>
                `create table ${name}_${rest} partition of ${name} for values with (modulus 3, remainder ${rest}) ${storage};`,
            ),
          ].join("\n"),
    );
}

test("OP-18 PostgreSQL itself divides every table of a company by the company, with all unique and foreign keys", async () => {
  const { pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  const files = (await readdir(MIGRATIONS_FOLDER)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(MIGRATIONS_FOLDER, file), "utf8")));
  const client = await pool.connect();
  try {
    await client.query("begin; create schema divided; set local search_path to divided");
    await client.query(texts.map(divideTables).join("\n"));
    const { rows } = await client.query<{ name: string; isDivided: boolean }>(
      `select relname as name, relkind = 'p' as "isDivided" from pg_class
        where relnamespace = 'divided'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    expect(
      rows
        .filter(({ isDivided }) => !isDivided)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...OTHERS].sort());
    expect(rows.length).toBeGreaterThan(OTHERS.size);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("OP-05 no table has a sequence: after a restore it would begin again at numbers that rows have", async () => {
  const { pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  expect((await pool.query("select sequencename from pg_sequences")).rows).toEqual([]);
});
