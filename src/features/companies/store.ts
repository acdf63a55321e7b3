import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { Company } from "#features/companies/rules.ts";
import type { CompaniesTables, ConnectionState } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

/** Companies of a user that are not disconnected, by name; the connection is joined. */
const selectCompaniesOf = (db: Db, email: string) =>
  tables(db)
    .selectFrom("company")
    .innerJoin("company_member as mine", "mine.realm_id", "company.realm_id")
    .innerJoin("intuit_connection", "intuit_connection.realm_id", "company.realm_id")
    .where("mine.email", "=", email)
    .where("intuit_connection.state", "!=", "disconnected");

const COMPANY = ["company.realm_id as realmId", "company.name", "company.admin_email as adminEmail"] as const;

/** Companies a user may work in, by name; those disconnected are left out. */
export const findCompaniesOf = (db: Db, email: string): Promise<Company[]> =>
  selectCompaniesOf(db, email).select(COMPANY).orderBy("name").orderBy("company.realm_id").execute();

/**
 * The company a page of a user starts with: the one of their session when it is theirs, else the first by name. Beside
 * it, how many they have.
 */
export async function findPageCompany(
  db: Db,
  email: string,
  realmId: string | null,
): Promise<{ company: Company | null; count: number }> {
  const row = await selectCompaniesOf(db, email)
    .select(COMPANY)
    .select((each) => each.fn.countAll<number>().over().as("count"))
    .orderBy((each) => each("company.realm_id", "=", realmId ?? ""), "desc")
    .orderBy("name")
    .orderBy("company.realm_id")
    .limit(1)
    .executeTakeFirst();
  return { company: row ?? null, count: row?.count ?? 0 };
}

/** Which of some e-mails are members of a company that is not disconnected. */
export async function findMembersAmong(
  db: Db,
  realmId: string,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("company_member")
    .innerJoin("intuit_connection", "intuit_connection.realm_id", "company_member.realm_id")
    .select("email")
    .where("company_member.realm_id", "=", realmId)
    .where("intuit_connection.state", "!=", "disconnected")
    .where("email", "in", [...emails])
    .execute();
  return rows.map(({ email }) => email);
}

export type CompanyDetails = Awaited<ReturnType<typeof findCompanyDetailsOf>>[number];

/** The same companies with everything Settings shows. */
export const findCompanyDetailsOf = (db: Db, email: string) =>
  selectCompaniesOf(db, email)
    .selectAll("company")
    .select((row) => row.ref("intuit_connection.state").$castTo<ListedState>().as("connection"))
    .select(
      sql<
        string[]
      >`array(select email from company_member m where m.realm_id = company.realm_id order by email)`.as(
        "members",
      ),
    )
    .orderBy("name")
    .orderBy("company.realm_id")
    .execute();

type ListedState = Exclude<ConnectionState, "disconnected">;

export const findCompany = (db: Db, realmId: string): Promise<Company | undefined> =>
  tables(db).selectFrom("company").select(COMPANY).where("realm_id", "=", realmId).executeTakeFirst();

/** The company when the user is a member of it: a foreign company looks like one that does not exist. */
export const findMembership = (db: Db, realmId: string, email: string): Promise<Company | undefined> =>
  tables(db)
    .selectFrom("company")
    .innerJoin("company_member", "company_member.realm_id", "company.realm_id")
    .select(COMPANY)
    .where("company.realm_id", "=", realmId)
    .where("email", "=", email)
    .executeTakeFirst();

/** Adds a company, or renews the name of a known one. */
export async function saveCompany(db: Db, company: Company & { now: Date }): Promise<void> {
  await tables(db)
    .insertInto("company")
    .values({
      realm_id: company.realmId,
      name: company.name,
      admin_email: company.adminEmail,
      contact_email: company.adminEmail ?? "",
      created_at: company.now,
    })
    .onConflict((conflict) => conflict.column("realm_id").doUpdateSet({ name: company.name }))
    .execute();
}

export async function addMember(
  db: Db,
  realmId: string,
  member: { email: string; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto("company_member")
    .values({ realm_id: realmId, email: member.email, added_at: member.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
