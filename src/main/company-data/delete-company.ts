import { sql } from "kysely";
import { findLink, stopAlerts } from "#features/carrier/index.ts";
import { connectDatabase, MIGRATION_LIMITS, type Db } from "#platform/db/connect.ts";
import { auditedBy, OperatorError, printTable, type Operator } from "../operator/command.ts";
import { requireObjects } from "../operator/backup/require-objects.ts";
import { orderTables, readCatalog, type CatalogTable } from "./read-catalog.ts";
import { COMPANY_FILES, KEPT_AFTER_DELETION } from "./tables.ts";
import { DAY_MS } from "#platform/time.ts";

/** Its triggers refuse a removal. */
const TRAIL = "audit_entry";

/**
 * Deletes all rows and stored files of a company that has been disconnected for the days of grace. The trail of no company
 * keeps who did it, and what was deleted.
 * @param typedName the company's name, as a confirmation; without it nothing is deleted, and the refusal says what would be
 * @throws OperatorError if it isn't confirmed, or too early
 */
export async function deleteCompany(
  operator: Operator,
  realmId: string,
  typedName: string | undefined,
): Promise<string> {
  const { config, connectionString, ctx } = operator;
  const company = await requireDeletable(operator, realmId);
  const objects = await requireObjects(operator);
  const { db, pool, close } = connectDatabase(
    config.migrationUrl ?? connectionString,
    ctx.log,
    MIGRATION_LIMITS,
  );
  try {
    const client = await pool.connect();
    const catalog = await readCatalog(client).finally(() => client.release());
    const tables = listTables(catalog);
    if (typedName !== company.name) throw await refusal(db, { realmId, company, tables, typedName });
    await stopAlertsBefore(operator, realmId);
    const keys = new Set<string>();
    for await (const key of objects.list()) if (key.includes(`/${realmId}-`)) keys.add(key);
    const deleted = await db.transaction().execute(async (tx) => {
      // Waits for a user who connects it at this moment, and then finds it connected.
      await sql`select from company where realm_id = ${realmId} for update`.execute(tx);
      await requireDeletable({ ...operator, ctx: { ...ctx, db: tx } }, realmId);
      for (const { key } of (
        await sql.raw<{ key: string }>(COMPANY_FILES.replaceAll("$1", `'${realmId}'`)).execute(tx)
      ).rows)
        keys.add(key);
      const counts = await deleteRows(tx, { realmId, tables });
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
      await auditedBy(operator, null).audit(tx, {
        action: "companies.delete",
        ids: { company: realmId },
        before: { name: company.name, rows, files: keys.size },
      });
      return rows;
    });
    // After the rows: what a crash leaves behind is removed by the sweep, because no row needs it.
    for (const key of keys) await objects.remove(key);
    return `Deleted ${company.name} (${realmId}): ${deleted} rows, ${keys.size} stored files. Its invoices stay in QuickBooks. Backups have it until they are removed.`;
  } finally {
    await close();
  }
}

/** Lets UPS send no more events of a linked account: its login is deleted with the company. */
async function stopAlertsBefore({ config, ctx }: Operator, realmId: string): Promise<void> {
  if (!(await findLink(ctx.db, realmId))) return;
  const [{ createApplication }, { openSealingKeys }] = await Promise.all([
    import("../application.ts"),
    import("../sealing-keys.ts"),
  ]);
  const sealingKeys = await openSealingKeys(config, ctx.db);
  const { carrier } = await createApplication({ config, ctx, sealingKeys });
  await stopAlerts(carrier, realmId);
}

type Company = { name: string; state: string | null; since: Date | null; subscriptions: number };

/** @throws OperatorError unless it is disconnected, its days of grace are over, and nothing is paid for it */
async function requireDeletable({ config, ctx }: Operator, realmId: string): Promise<Company> {
  const { rows } = await sql<Company>`select name, state, updated_at as since,
      (select count(*) from subscription s where s.realm_id = company.realm_id and ended_at is null) as subscriptions
    from company left join intuit_connection using (realm_id) where realm_id = ${realmId}`.execute(ctx.db);
  const [company] = rows;
  if (!company) throw new OperatorError("There is no company with this ID.");
  if (company.state !== null && company.state !== "disconnected")
    throw new OperatorError(
      `${company.name} is connected, so it isn't deleted: disconnect it first (company disconnect).`,
    );
  if (company.subscriptions > 0)
    throw new OperatorError(
      `${company.name} has a subscription that has not ended, so it isn't deleted. It ends with the paid period, or if it was kept, once its payer cancels it in the billing portal.`,
    );
  const from = new Date((company.since?.getTime() ?? 0) + config.deletionGraceDays * DAY_MS);
  if (ctx.clock.now() < from)
    throw new OperatorError(
      `${company.name} has been disconnected here since ${company.since?.toISOString()} and can be deleted from ${from.toISOString()} on (COMPANY_DELETION_GRACE_DAYS=${config.deletionGraceDays}).`,
    );
  return company;
}

/** Every table with rows of companies, those first that refer to others. */
function listTables(catalog: readonly CatalogTable[]): string[] {
  const names = catalog.flatMap(({ name, columns }) =>
    columns.some((column) => column.name === "realm_id") && !(name in KEPT_AFTER_DELETION) ? [name] : [],
  );
  const ordered = orderTables(catalog, new Set(names)).map(({ name }) => name);
  // The trail last: while its triggers are off, no other company can add entries.
  return ordered.toReversed().toSorted((a, b) => Number(a === TRAIL) - Number(b === TRAIL));
}

type DeleteRequest = {
  realmId: string;
  company: Company;
  tables: readonly string[];
  typedName: string | undefined;
};

async function refusal(
  db: Db,
  { realmId, company, tables, typedName }: DeleteRequest,
): Promise<OperatorError> {
  const lines: string[][] = [];
  for (const table of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where realm_id = ${realmId}`.execute(db);
    if (rows[0]?.count) lines.push([table, String(rows[0].count)]);
  }
  return new OperatorError(
    [
      typedName === undefined
        ? `This would delete ${company.name} (${realmId}) for good, with its files:`
        : `The name doesn't match, so nothing was deleted. This would delete ${company.name} (${realmId}) for good, with its files:`,
      printTable(["table", "rows"], lines),
      `Export it first if its data may be needed. To delete it, add its name: --name ${JSON.stringify(company.name)}`,
    ].join("\n"),
  );
}

async function deleteRows(
  tx: Db,
  { realmId, tables }: { realmId: string; tables: readonly string[] },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await sql`update app_user set realm_id = null where realm_id = ${realmId}`.execute(tx);
  await sql`update session set realm_id = null where realm_id = ${realmId}`.execute(tx);
  await sql`delete from outbound_lease where key like ${`%${realmId}`}`.execute(tx);
  await sql`delete from outbound_budget where key like ${`%${realmId}`}`.execute(tx);
  for (const table of tables) {
    const isTrail = table === TRAIL;
    if (isTrail) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
    const { numAffectedRows } =
      await sql`delete from ${sql.table(table)} where realm_id = ${realmId}`.execute(tx);
    if (isTrail) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
    counts[table] = Number(numAffectedRows ?? 0);
  }
  return counts;
}
