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
  const nodes = await explain(pool, search, "format json");
  return {
    indexes: [...new Set(nodes.flatMap((node) => node["Index Name"] ?? []))],
    scannedTables: nodes.flatMap((node) =>
      node["Node Type"] === "Seq Scan" ? (node["Relation Name"] ?? []) : [],
    ),
  };
}

/** @returns how many rows a search takes from its tables or compares, also those that it then leaves out: its work, on any machine */
export async function countRowsRead(pool: Pool, search: (db: Db) => Promise<unknown>): Promise<number> {
  const nodes = await explain(pool, search, "analyze, timing off, format json");
  const countRows = (node: PlanNode) =>
    (node["Relation Name"] ? (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) : 0) +
    (node["Rows Removed by Join Filter"] ?? 0);
  return nodes.reduce((sum, node) => sum + countRows(node) * (node["Actual Loops"] ?? 0), 0);
}

async function explain(
  pool: Pool,
  search: (db: Db) => Promise<unknown>,
  options: string,
): Promise<PlanNode[]> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const db: Db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push(query);
    },
  });
  await search(db);
  const nodes: PlanNode[] = [];
  const client = await pool.connect();
  try {
    for (const { sql, parameters } of statements) {
      if (HAS_NO_PLAN.test(sql)) {
        await client.query(sql);
        continue;
      }
      const { rows } = await client.query(`explain (${options}) ${sql}`, [...parameters]);
      const [{ Plan }] = (rows as { "QUERY PLAN": [{ Plan: PlanNode }] }[])[0]?.["QUERY PLAN"] ?? [
        { Plan: {} },
      ];
      nodes.push(...listNodes(Plan));
    }
  } finally {
    client.release();
  }
  return nodes;
}

const HAS_NO_PLAN = /^(begin|commit|set local)/;

type PlanNode = {
  "Node Type"?: string;
  "Index Name"?: string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: PlanNode[];
};

const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];
