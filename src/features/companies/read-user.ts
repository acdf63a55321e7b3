import type { PageUser, UserData } from "#features/identity/contract.ts";
import { findSession, type User } from "#features/identity/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Company } from "#features/companies/rules.ts";
import { findCompaniesOf, findPageCompany } from "#features/companies/store.ts";

/** A user as their own pages know them. */
export async function readUser(ctx: Ctx, user: User): Promise<UserData> {
  return toUserData(user, await findCompaniesOf(ctx.db, user.id));
}

/**
 * The user of a browser's session as their page needs them at once, with the company it starts with; null for guests.
 * All companies of an accountant would be most of the page.
 * @param secret the session cookie
 */
export async function readVisitor(ctx: Ctx, secret: string | undefined): Promise<PageUser | null> {
  const session = await findSession(ctx, secret);
  if (!session) return null;
  const { company, count, isFirst } = await findPageCompany(ctx.db, session.user.id, session.realmId);
  return {
    ...toUserData(session.user, company ? [company] : []),
    company_count: count,
    company_is_first: isFirst,
  };
}

function toUserData(user: User, companies: readonly Company[]): UserData {
  return {
    first_name: user.firstName,
    last_name: user.lastName,
    username: user.email,
    email: user.email,
    groups: [...user.groups],
    companies: companies.map(({ realmId, name, adminEmail }) => ({ id: realmId, name, admin: adminEmail })),
  };
}
