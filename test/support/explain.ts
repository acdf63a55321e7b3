import { Kysely, PostgresDialect } from "kysely";
import type { Pool } from "pg";
import type { Db } from "#platform/db/connect.ts";

/**
 * Runs a search and asks PostgreSQL how it finds what it finds.
 * @returns the indexes that its statements use, and the tables that they scan completely
 */
export async function explainSearch(
  pool: Pool,
  search: (db: Db) => Promise<unknown>,
): Promise<{ indexes: string[]; scannedTables: string[] }> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const db: Db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push(query);
    },
  });
  await search(db);
  const nodes: PlanNode[] = [];
  for (const { sql, parameters } of statements) {
    const { rows } = await pool.query(`explain (format json) ${sql}`, [...parameters]);
    const [{ Plan }] = (rows as { "QUERY PLAN": [{ Plan: PlanNode }] }[])[0]?.["QUERY PLAN"] ?? [
      { Plan: {} },
    ];
    nodes.push(...nodesOf(Plan));
  }
  return {
    indexes: [...new Set(nodes.flatMap((node) => node["Index Name"] ?? []))],
    scannedTables: nodes.flatMap((node) =>
      node["Node Type"] === "Seq Scan" ? (node["Relation Name"] ?? []) : [],
    ),
  };
}

type PlanNode = { "Node Type"?: string; "Index Name"?: string; "Relation Name"?: string; Plans?: PlanNode[] };

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
