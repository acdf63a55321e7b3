import { sql, type Updateable } from "kysely";
import type { Service, UpsState } from "#features/companies/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { Company } from "#features/companies/rules.ts";
import type { CompaniesTables, ConnectionState } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables & Users & Links>();

/** User columns that companies read. */
type Users = { app_user: { id: string; email: string } };
/** Columns of UPS accounts that companies read. */
type Links = {
  carrier_link: { realm_id: string; linked_by: string | null; linked_at: Date; used_at: Date };
};

const selectCompanies = (db: Db) =>
  tables(db).selectFrom("company").leftJoin("app_user as admin", "admin.id", "company.admin_id");

/** Selects a user's companies that are not disconnected, joined with the connection. */
const selectUserCompanies = (db: Db, userId: string) =>
  selectCompanies(db)
    .innerJoin("company_member as mine", "mine.realm_id", "company.realm_id")
    .innerJoin("intuit_connection", "intuit_connection.realm_id", "company.realm_id")
    .where("mine.user_id", "=", userId)
    .where("intuit_connection.state", "!=", "disconnected");

const COMPANY = [
  "company.realm_id as realmId",
  "company.name",
  "company.admin_id as adminId",
  "admin.email as adminEmail",
] as const;

/**
 * Selects a user's default company: the one they last worked in, else the one they have had
 * longest; never one that was just added.
 */
const defaultCompany = (userId: string) => sql<string | null>`(
  select m.realm_id from company_member m join intuit_connection i using (realm_id)
  where m.user_id = ${userId} and i.state <> 'disconnected'
  order by (m.realm_id = (select u.realm_id from app_user u where u.id = ${userId})) desc nulls last,
    m.added_at, m.realm_id limit 1)`;

/** Whether the Tracking Service of a company is on at `now`. */
const hasTracking = (now: Date) =>
  sql<boolean>`exists (select from company_service s where s.realm_id = company.realm_id
    and s.service = 'tracking' and s.state = 'active' and (s.until is null or s.until > ${now}))`;

/** A company as its user's pages show it. */
export type UserCompany = Company & { timeZone: string; hasTracking: boolean };

const isDefault = (userId: string) => sql<boolean>`company.realm_id = ${defaultCompany(userId)}`;

/** Finds the company that a new session of a user begins with. */
export async function findDefaultCompany(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{
    realmId: string | null;
  }>`select ${defaultCompany(userId)} as "realmId"`.execute(db);
  return rows[0]?.realmId ?? null;
}

/** Finds the companies of a user, without disconnected ones: the default first, the others by name. */
export const findCompaniesForUser = (db: Db, userId: string, now: Date): Promise<UserCompany[]> =>
  selectUserCompanies(db, userId)
    .select([...COMPANY, "company.time_zone as timeZone"])
    .select(hasTracking(now).as("hasTracking"))
    .orderBy(isDefault(userId), "desc")
    .orderBy("name")
    .orderBy("company.realm_id")
    .execute();

/**
 * Finds the company a user's page starts with: the session's if it is theirs, else their default. Also counts their
 * companies and says whether this one is the default, which their list begins with.
 */
export async function findPageCompany(
  db: Db,
  userId: string,
  { realmId, now }: { realmId: string | null; now: Date },
): Promise<{ company: UserCompany | null; count: number; isFirst: boolean }> {
  const row = await selectUserCompanies(db, userId)
    .select([...COMPANY, "company.time_zone as timeZone"])
    .select(hasTracking(now).as("hasTracking"))
    .select((each) => each.fn.countAll<number>().over().as("count"))
    .select(isDefault(userId).as("isFirst"))
    .orderBy((each) => each("company.realm_id", "=", realmId ?? ""), "desc")
    .orderBy(isDefault(userId), "desc")
    .limit(1)
    .executeTakeFirst();
  return { company: row ?? null, count: row?.count ?? 0, isFirst: row?.isFirst ?? false };
}

export type CompanyDetails = Awaited<ReturnType<typeof findCompanyDetails>>[number];

/**
 * Finds the same companies, or one of them, with everything Settings shows; services are those
 * active at `now`.
 */
export const findCompanyDetails = (
  db: Db,
  userId: string,
  { now, realmId }: { now: Date; realmId?: string },
) =>
  selectUserCompanies(db, userId)
    .$if(realmId !== undefined, (query) => query.where("company.realm_id", "=", realmId ?? ""))
    .leftJoin("carrier_link", "carrier_link.realm_id", "company.realm_id")
    .leftJoin("app_user as linker", "linker.id", "carrier_link.linked_by")
    .selectAll("company")
    .select(["admin.email as adminEmail", "intuit_connection.hard_ends_at as hardEndsAt"])
    .select([
      "linker.email as linkedBy",
      "carrier_link.linked_at as linkedAt",
      "carrier_link.used_at as usedAt",
    ])
    .select((row) => row.ref("intuit_connection.state").$castTo<ListedState>().as("connection"))
    .select([
      sql<Service[]>`array(select distinct service from company_service s where s.realm_id = company.realm_id
        and s.state = 'active' and (s.until is null or s.until > ${now}) order by service)`.as("services"),
      sql<Service[]>`array(select service from company_service s where s.realm_id = company.realm_id
        and s.state = 'active' and (s.until is null or s.until > ${now}) and s.source = 'subscription'
        order by service)`.as("paid"),
      sql<Date | null>`(select min(until) from company_service s where s.realm_id = company.realm_id
        and s.state = 'active' and s.until > ${now} and s.is_unpaid)`.as("unpaidUntil"),
      sql<string[]>`array(select distinct coalesce(u.email, m.email) from company_member m
        left join app_user u on u.id = m.user_id where m.realm_id = company.realm_id order by 1)`.as(
        "members",
      ),
      sql<string[]>`array(select email from company_member m where m.realm_id = company.realm_id
        and m.email is not null order by 1)`.as("invited"),
    ])
    .orderBy("name")
    .orderBy("company.realm_id")
    .execute();

type ListedState = Exclude<ConnectionState, "disconnected">;

export const findCompany = (db: Db, realmId: string): Promise<Company | undefined> =>
  selectCompanies(db).select(COMPANY).where("company.realm_id", "=", realmId).executeTakeFirst();

/** Whether a company's UPS account works: none, connected, or to be connected again. */
export async function findUpsState(db: Db, realmId: string): Promise<UpsState> {
  const row = await tables(db)
    .selectFrom("company")
    .select("ups_state")
    .where("realm_id", "=", realmId)
    .executeTakeFirst();
  return row?.ups_state ?? "none";
}

/** Settings of a company that following packages needs. @throws for an unknown company */
export const findTrackingSettings = (db: Db, realmId: string) =>
  tables(db)
    .selectFrom("company")
    .select([
      "name",
      "contact_email",
      "ups_state",
      "attach_pods",
      "pods_on_send",
      "pods_together",
      "freight_since",
    ])
    .select(["invoice_lookback_days", "time_zone"])
    .where("realm_id", "=", realmId)
    .executeTakeFirstOrThrow();

/** Locks a company until the transaction ends. */
export async function lockCompany(tx: Db, realmId: string): Promise<Company> {
  // Locked by a query of its own, because a waiting query would join the admin from before the wait. Rows that name the company can
  // still be added: their callers may hold locks that the holder of this one waits for.
  await tables(tx)
    .selectFrom("company")
    .select("realm_id")
    .where("realm_id", "=", realmId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return selectCompanies(tx)
    .select(COMPANY)
    .where("company.realm_id", "=", realmId)
    .executeTakeFirstOrThrow();
}

/** Finds a company if the user is a member; other companies look like nonexistent ones. */
export const findMembership = (db: Db, realmId: string, userId: string): Promise<Company | undefined> =>
  selectCompanies(db)
    .innerJoin("company_member", "company_member.realm_id", "company.realm_id")
    .select(COMPANY)
    .where("company.realm_id", "=", realmId)
    .where("company_member.user_id", "=", userId)
    .executeTakeFirst();

type NewCompany = {
  realmId: string;
  name: string;
  timeZone: string;
  adminId: string | null;
  contactEmail: string;
  now: Date;
};

/** Finds the time zone that a company's days are counted in. @returns an IANA name */
export async function findTimeZone(db: Db, realmId: string): Promise<string> {
  const row = await tables(db)
    .selectFrom("company")
    .select("time_zone")
    .where("realm_id", "=", realmId)
    .executeTakeFirstOrThrow();
  return row.time_zone;
}

/** Adds a company, or finds and locks a known one. @returns the known one */
export async function addCompany(tx: Db, company: NewCompany): Promise<Company | null> {
  const added = await tables(tx)
    .insertInto("company")
    .values({
      realm_id: company.realmId,
      name: company.name,
      time_zone: company.timeZone,
      admin_id: company.adminId,
      contact_email: company.contactEmail,
      created_at: company.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("realm_id")
    .executeTakeFirst();
  return added ? null : lockCompany(tx, company.realmId);
}

/** Updates a company's name and time zone. */
export async function renameCompany(
  tx: Db,
  { realmId, name, timeZone }: Pick<NewCompany, "realmId" | "name" | "timeZone">,
): Promise<void> {
  await tables(tx)
    .updateTable("company")
    .set({ name, time_zone: timeZone })
    .where("realm_id", "=", realmId)
    .execute();
}

type CompanyRow = CompaniesTables["company"];
type Changes = Pick<
  Updateable<CompanyRow>,
  | "admin_id"
  | "contact_email"
  | "ups_account"
  | "ups_state"
  | "attach_pods"
  | "pods_on_send"
  | "pods_together"
  | "freight_since"
  | "invoice_lookback_days"
>;

/** Locks and changes a company. @returns the company before the change */
export async function changeCompany(tx: Db, realmId: string, changes: Changes) {
  const before = await tables(tx)
    .selectFrom("company")
    .selectAll()
    .where("realm_id", "=", realmId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await tables(tx).updateTable("company").set(changes).where("realm_id", "=", realmId).execute();
  await publishChange(tx, { realmId, kind: "companies" });
  return before;
}
