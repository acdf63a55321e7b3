import type { Service } from "#features/companies/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Account, Attempt, BillingTables } from "#features/billing/tables.ts";

const tables = (db: Db) => db.withTables<BillingTables & Companies>();

/** Columns of companies that payments read. */
type Companies = {
  company: { realm_id: string; name: string; admin_id: string | null };
  company_member: { realm_id: string; user_id: string | null };
  intuit_connection: { realm_id: string; state: string };
};

/** Finds the current payer's account of a company. */
export const findAccount = (db: Db, realmId: string): Promise<Account | undefined> =>
  tables(db)
    .selectFrom("billing_account")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("ended_at", "is", null)
    .executeTakeFirst();

/** Finds the account of a Stripe customer, even if another user pays now. */
export const findAccountByCustomer = (db: Db, customerId: string): Promise<Account | undefined> =>
  tables(db)
    .selectFrom("billing_account")
    .selectAll()
    .where("customer_id", "=", customerId)
    .executeTakeFirst();

/** Selects the current accounts that pay now or owe, once for each subscription. */
const selectPaying = (db: Db) =>
  tables(db)
    .selectFrom("billing_account as account")
    .innerJoin("subscription", (join) =>
      join
        .onRef("subscription.realm_id", "=", "account.realm_id")
        .onRef("subscription.account_id", "=", "account.id"),
    )
    .where("account.ended_at", "is", null)
    .where("subscription.status", "in", ["active", "trialing", "past_due", "unpaid", "paused"]);

/** Finds the user who pays for a company's services now or owes for them; null for none. */
export async function findPayer(db: Db, realmId: string): Promise<string | null> {
  const row = await selectPaying(db)
    .select("account.payer_id")
    .where("account.realm_id", "=", realmId)
    .executeTakeFirst();
  return row?.payer_id ?? null;
}

/** Finds the user whose card is charged again for a company's services, or owes for them; null for none. */
export async function findRenewingPayer(db: Db, realmId: string): Promise<string | null> {
  const row = await selectPaying(db)
    .select("account.payer_id")
    .where("account.realm_id", "=", realmId)
    .where((each) =>
      each.or([
        each("ends_at", "is", null),
        // A later end, as set in Stripe's dashboard, has renewals before it.
        each("ends_at", ">", each.ref("period_end")),
        each("status", "not in", ["active", "trialing"]),
      ]),
    )
    .executeTakeFirst();
  return row?.payer_id ?? null;
}

/** Lists the companies that a user pays for and doesn't see as their admin: another user is it, or they are disconnected. */
export const listPayments = (db: Db, userId: string) =>
  selectPaying(db)
    .innerJoin("company", "company.realm_id", "account.realm_id")
    .innerJoin("company_member as member", "member.realm_id", "account.realm_id")
    .innerJoin("intuit_connection as connection", "connection.realm_id", "account.realm_id")
    .select(["company.realm_id as id", "company.name"])
    .select((each) => each("connection.state", "!=", "disconnected").$castTo<boolean>().as("is_connected"))
    .distinct()
    .where("account.payer_id", "=", userId)
    .where("member.user_id", "=", userId)
    .where((each) =>
      each.or([each("connection.state", "=", "disconnected"), each("company.admin_id", "!=", userId)]),
    )
    .orderBy("company.name")
    .orderBy("company.realm_id")
    .execute();

/** Finds the account of another user who pays for a company's services or owes for them. */
export async function findOtherPayer(db: Db, realmId: string, userId: string): Promise<Account | undefined> {
  const payerId = await findPayer(db, realmId);
  return payerId === null || payerId === userId ? undefined : findAccount(db, realmId);
}

/** Adds the payer's account unless one was added meanwhile. */
export async function addAccount(db: Db, account: Account): Promise<void> {
  await tables(db)
    .insertInto("billing_account")
    .values(account)
    .onConflict((conflict) => conflict.column("realm_id").where("ended_at", "is", null).doNothing())
    .execute();
}

export async function nameCustomer(
  db: Db,
  { realm_id: realmId, id }: Account,
  customerId: string,
): Promise<void> {
  await tables(db)
    .updateTable("billing_account")
    .set({ customer_id: customerId })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

export async function endAccount(db: Db, { realm_id: realmId, id }: Account, now: Date): Promise<void> {
  await tables(db)
    .updateTable("billing_account")
    .set({ ended_at: now })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

/** Lists every account that has a customer, for the nightly sync. */
export const listAccounts = (db: Db): Promise<Account[]> =>
  tables(db)
    .selectFrom("billing_account")
    .selectAll()
    .where("customer_id", "is not", null)
    .orderBy("realm_id")
    .execute();

/** Finds the attempt with an unknown outcome. */
export const findOpenAttempt = (db: Db, realmId: string, service: Service): Promise<Attempt | undefined> =>
  tables(db)
    .selectFrom("subscription_attempt")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("service", "=", service)
    .where("state", "=", "open")
    .executeTakeFirst();

export async function addAttempt(db: Db, attempt: Attempt): Promise<void> {
  await tables(db).insertInto("subscription_attempt").values(attempt).execute();
}

export async function settleAttempt(
  db: Db,
  { realm_id: realmId, id }: Attempt,
  state: "made" | "failed",
): Promise<void> {
  await tables(db)
    .updateTable("subscription_attempt")
    .set({ state })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

export const findTrial = (db: Db, realmId: string, service: Service) =>
  tables(db)
    .selectFrom("service_trial")
    .select(["started_at", "reminded_at"])
    .where("realm_id", "=", realmId)
    .where("service", "=", service)
    .executeTakeFirst();

export const listTrials = (db: Db, realmId: string) =>
  tables(db).selectFrom("service_trial").select("service").where("realm_id", "=", realmId).execute();

export async function recordReminder(
  db: Db,
  { realmId, service, now }: { realmId: string; service: Service; now: Date },
): Promise<void> {
  await tables(db)
    .updateTable("service_trial")
    .set({ reminded_at: now })
    .where("realm_id", "=", realmId)
    .where("service", "=", service)
    .execute();
}

export async function recordTrial(
  db: Db,
  { realmId, service, now }: { realmId: string; service: Service; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto("service_trial")
    .values({ realm_id: realmId, service, started_at: now, reminded_at: null })
    .onConflict((conflict) => conflict.columns(["realm_id", "service"]).doNothing())
    .execute();
}
