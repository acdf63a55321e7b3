import type { UserData } from "#features/identity/contract.ts";
import { findSession, type Person } from "#features/identity/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { findCompaniesOf } from "#features/companies/store.ts";

/** A person as their own pages know them. */
export async function readUser(ctx: Ctx, person: Person): Promise<UserData> {
  const companies = await findCompaniesOf(ctx.db, person.email);
  return {
    first_name: person.firstName,
    last_name: person.lastName,
    username: person.email,
    email: person.email,
    groups: [...person.groups],
    companies: companies.map(({ realmId, name, adminEmail }) => ({ id: realmId, name, admin: adminEmail })),
  };
}

/** The user of a browser's session, null for guests. @param secret the session cookie */
export async function readVisitor(ctx: Ctx, secret: string | undefined): Promise<UserData | null> {
  const session = await findSession(ctx, secret);
  return session ? readUser(ctx, session.person) : null;
}
