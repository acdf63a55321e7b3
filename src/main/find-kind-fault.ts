import { sql } from "kysely";
import type { Config } from "#platform/config/read-config.ts";
import type { Db } from "#platform/db/connect.ts";

/**
 * Keeps the demo and real companies apart: a database remembers what it was first started for. Real tokens must never
 * be shown to a simulator, and the demo can be reset.
 * @returns a sentence when this start is for the other kind
 */
export async function findKindFault(db: Db, config: Config): Promise<string | null> {
  const kind = config.simulators ? "demo" : "real";
  const { rows } = await sql<{ kind: string }>`insert into installation (kind) values (${kind})
    on conflict (only_one) do update set kind = installation.kind returning kind`.execute(db);
  if (rows[0]?.kind === kind) return null;
  return kind === "demo"
    ? "This database holds real companies, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET, or choose another DATA_DIR or DATABASE_URL."
    : "This database holds the demo's companies: choose another DATA_DIR or DATABASE_URL for real ones.";
}
