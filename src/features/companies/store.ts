import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { Company } from "#features/companies/rules.ts";
import type { CompaniesTables, ConnectionState } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

/** Companies a user may work in, by name; those disconnected are left out. */
export async function findCompaniesOf(db: Db, email: string): Promise<Company[]> {
  const rows = await tables(db)
    .selectFrom("company")
    .innerJoin("company_member", "company_member.realm_id", "company.realm_id")
    .innerJoin("intuit_connection", "intuit_connection.realm_id", "company.realm_id")
    .select(["company.realm_id", "name", "admin_email"])
    .where("email", "=", email)
    .where("intuit_connection.state", "!=", "disconnected")
    .orderBy("name")
    .orderBy("company.realm_id")
    .execute();
  return rows.map((row) => ({ realmId: row.realm_id, name: row.name, adminEmail: row.admin_email }));
}

/**
 * The company a page of a user starts with: the one of their session when it is theirs, else the first by name. Beside
 * it, how many they have.
 */
export async function findPageCompany(
  db: Db,
  email: string,
  realmId: string | null,
): Promise<{ company: Company | null; count: number }> {
  const row = await tables(db)
    .selectFrom("company")
    .innerJoin("company_member", "company_member.realm_id", "company.realm_id")
    .innerJoin("intuit_connection", "intuit_connection.realm_id", "company.realm_id")
    .select(["company.realm_id", "name", "admin_email"])
    .select((each) => each.fn.countAll<string>().over().as("count"))
    .where("email", "=", email)
    .where("intuit_connection.state", "!=", "disconnected")
    .orderBy((each) => each("company.realm_id", "=", realmId ?? ""), "desc")
    .orderBy("name")
    .orderBy("company.realm_id")
    .limit(1)
    .executeTakeFirst();
  if (!row) return { company: null, count: 0 };
  const company = { realmId: row.realm_id, name: row.name, adminEmail: row.admin_email };
  return { company, count: Number(row.count) };
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

export type CompanyDetails = Company & {
  services: string[];
  connection: Exclude<ConnectionState, "disconnected">;
  members: string[];
  contactEmail: string;
  upsAccount: string;
  attachPods: boolean;
  invoiceLookbackDays: number;
};

/** The same companies with everything Settings shows. */
export async function findCompanyDetailsOf(db: Db, email: string): Promise<CompanyDetails[]> {
  const rows = await tables(db)
    .selectFrom("company")
    .innerJoin("company_member as mine", "mine.realm_id", "company.realm_id")
    .innerJoin("intuit_connection", "intuit_connection.realm_id", "company.realm_id")
    .selectAll("company")
    .select((row) => row.ref("intuit_connection.state").$castTo<CompanyDetails["connection"]>().as("state"))
    .select(
      sql<
        string[]
      >`array(select email from company_member m where m.realm_id = company.realm_id order by email)`.as(
        "members",
      ),
    )
    .where("mine.email", "=", email)
    .where("intuit_connection.state", "!=", "disconnected")
    .orderBy("name")
    .orderBy("company.realm_id")
    .execute();
  return rows.map((row) => ({
    realmId: row.realm_id,
    name: row.name,
    adminEmail: row.admin_email,
    services: row.services,
    connection: row.state,
    members: row.members,
    contactEmail: row.contact_email,
    upsAccount: row.ups_account,
    attachPods: row.attach_pods,
    invoiceLookbackDays: row.invoice_lookback_days,
  }));
}

export async function findCompany(db: Db, realmId: string): Promise<Company | null> {
  const row = await tables(db)
    .selectFrom("company")
    .select(["realm_id", "name", "admin_email"])
    .where("realm_id", "=", realmId)
    .executeTakeFirst();
  return row ? { realmId: row.realm_id, name: row.name, adminEmail: row.admin_email } : null;
}

/** The company when the user is a member of it, else null: a foreign company looks like one that does not exist. */
export async function findMembership(db: Db, realmId: string, email: string): Promise<Company | null> {
  const row = await tables(db)
    .selectFrom("company")
    .innerJoin("company_member", "company_member.realm_id", "company.realm_id")
    .select(["company.realm_id", "name", "admin_email"])
    .where("company.realm_id", "=", realmId)
    .where("email", "=", email)
    .executeTakeFirst();
  return row ? { realmId: row.realm_id, name: row.name, adminEmail: row.admin_email } : null;
}

/** Adds a company, or renews the name of a known one. */
export async function saveCompany(db: Db, company: Company & { now: Date }): Promise<void> {
  await tables(db)
    .insertInto("company")
    .values({
      realm_id: company.realmId,
      name: company.name,
      admin_email: company.adminEmail,
      services: [],
      contact_email: company.adminEmail ?? "",
      ups_account: "",
      attach_pods: false,
      invoice_lookback_days: 30,
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
