import { sql, type Updateable } from "kysely";
import type { Service } from "#features/companies/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { Company } from "#features/companies/rules.ts";
import type { CompaniesTables, ConnectionState } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables & Users>();

/** As much of users as companies name. */
type Users = { app_user: { id: string; email: string } };

const selectCompanies = (db: Db) =>
  tables(db).selectFrom("company").leftJoin("app_user as admin", "admin.id", "company.admin_id");

/** Companies of a user that are not disconnected; the connection is joined. */
const selectCompaniesOf = (db: Db, userId: string) =>
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

/** Companies a user may work in, by name; those disconnected are left out. */
export const findCompaniesOf = (db: Db, userId: string): Promise<Company[]> =>
  selectCompaniesOf(db, userId).select(COMPANY).orderBy("name").orderBy("company.realm_id").execute();

/**
 * The company a page of a user starts with: the one of their session when it is theirs, else the first by name. Beside
 * it, how many they have, and whether it is the first by name.
 */
export async function findPageCompany(
  db: Db,
  userId: string,
  realmId: string | null,
): Promise<{ company: Company | null; count: number; isFirst: boolean }> {
  const row = await selectCompaniesOf(db, userId)
    .select(COMPANY)
    .select((each) => each.fn.countAll<number>().over().as("count"))
    .select(({ fn }) =>
      fn
        .agg<number>("row_number")
        .over((list) => list.orderBy("name").orderBy("company.realm_id"))
        .as("place"),
    )
    .orderBy((each) => each("company.realm_id", "=", realmId ?? ""), "desc")
    .orderBy("name")
    .orderBy("company.realm_id")
    .limit(1)
    .executeTakeFirst();
  return { company: row ?? null, count: row?.count ?? 0, isFirst: row?.place === 1 };
}

export type CompanyDetails = Awaited<ReturnType<typeof findCompanyDetailsOf>>[number];

/** The same companies, or one of them, with everything Settings shows; services are those active at `now`. */
export const findCompanyDetailsOf = (
  db: Db,
  userId: string,
  { now, realmId }: { now: Date; realmId?: string },
) =>
  selectCompaniesOf(db, userId)
    .$if(realmId !== undefined, (query) => query.where("company.realm_id", "=", realmId ?? ""))
    .selectAll("company")
    .select(["admin.email as adminEmail", "intuit_connection.hard_ends_at as hardEndsAt"])
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

/** A company that nobody else changes until the transaction ends. */
export async function lockCompany(tx: Db, realmId: string): Promise<Company> {
  // Locked first: who waited would read the company as it is now, but join the admin of before.
  await tables(tx)
    .selectFrom("company")
    .select("realm_id")
    .where("realm_id", "=", realmId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return selectCompanies(tx)
    .select(COMPANY)
    .where("company.realm_id", "=", realmId)
    .executeTakeFirstOrThrow();
}

/** The company when the user is a member of it: a foreign company looks like one that does not exist. */
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

/** The days of a company are those of its own time zone. @returns an IANA name */
export async function findTimeZone(db: Db, realmId: string): Promise<string> {
  const row = await tables(db)
    .selectFrom("company")
    .select("time_zone")
    .where("realm_id", "=", realmId)
    .executeTakeFirstOrThrow();
  return row.time_zone;
}

/** Adds a company, or finds the known one; nobody else changes it until the transaction ends. @returns the known one */
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

/** Notes what a company is called now, and where it is. */
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
  "admin_id" | "contact_email" | "ups_account" | "attach_pods" | "invoice_lookback_days"
>;

/** Changes a company and returns it as it was before; nobody else changes it meanwhile. */
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
