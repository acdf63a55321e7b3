import { sql } from "kysely";
import { HOME, type Installation } from "#platform/cells.ts";
import { ConfigFaults } from "#platform/config/read-config.ts";
import type { Db } from "#platform/db/connect.ts";

/** Companies whose database a process remembers; a company moves only while no process runs. */
const MAX_KNOWN = 100_000;

/** Which database a company lives in. It is kept in the first one, for the companies of all. */
export function createDirectory({ home }: Pick<Installation, "home">) {
  const known = new Map<string, string>();
  /** @returns the name of the database; undefined for a company that is not listed */
  async function find(realmId: string): Promise<string | undefined> {
    const found = known.get(realmId) ?? (await findCell(home.db, realmId));
    if (found === undefined) return undefined;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(realmId, found);
    return found;
  }

  return {
    find,
    /** The same of a company that was found before, without a query. */
    known: (realmId: string): string | undefined => known.get(realmId),
    /** Lists a new company, unless it is. @returns the name of its database */
    place: async (realmId: string, cell: string): Promise<string> => {
      await sql`insert into company_cell (realm_id, cell, placed_at) values (${realmId}, ${cell}, ${home.clock.now()})
        on conflict do nothing`.execute(home.db);
      return (await findCell(home.db, realmId)) ?? cell;
    },
  };
}

export type Directory = ReturnType<typeof createDirectory>;

async function findCell(db: Db, realmId: string): Promise<string | undefined> {
  const { rows } = await sql<{
    cell: string;
  }>`/* prepared find-cell */ select cell from company_cell where realm_id = ${realmId}`.execute(db);
  return rows[0]?.cell;
}

/** Lists a company in another database than before; processes that run go on with the one they know. */
export async function moveCompany(
  db: Db,
  { realmId, cell, now }: { realmId: string; cell: string; now: Date },
): Promise<void> {
  await sql`insert into company_cell (realm_id, cell, placed_at) values (${realmId}, ${cell}, ${now})
    on conflict (realm_id) do update set cell = excluded.cell, placed_at = excluded.placed_at`.execute(db);
}

/**
 * Forgets a company that was deleted in a database, also as the one that users last worked in; nothing of a company that has
 * moved to another one.
 */
export async function forgetCompany(
  db: Db,
  { realmId, cell }: { realmId: string; cell: string },
): Promise<void> {
  await sql`delete from company_cell where realm_id = ${realmId} and cell = ${cell}`.execute(db);
  if ((await findCell(db, realmId)) !== undefined) return;
  await sql`update app_user set realm_id = null where realm_id = ${realmId}`.execute(db);
  await sql`update session set realm_id = null where realm_id = ${realmId}`.execute(db);
}

/**
 * Lists the companies that were connected while there was one database.
 * @throws ConfigFaults if companies live in a database that is not configured
 */
export async function openDirectory({ home, cells }: Installation): Promise<Directory> {
  if (cells.length > 1)
    await sql`insert into company_cell (realm_id, cell, placed_at)
      select realm_id, ${HOME}, ${home.clock.now()} from company on conflict do nothing`.execute(home.db);
  const { rows } = await sql<{ cell: string; companies: number }>`select cell, count(*) as companies
    from company_cell where cell <> all(${cells.map(({ cell }) => cell)}::text[]) group by cell order by cell`.execute(
    home.db,
  );
  if (rows.length > 0)
    throw new ConfigFaults(
      rows.map(
        ({ cell, companies }) =>
          `CELLS lacks ${cell}, the database of ${companies} ${companies === 1 ? "company" : "companies"}: add it again.`,
      ),
    );
  return createDirectory({ home });
}
