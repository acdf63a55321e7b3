import type { PageUser, UserData } from "#features/identity/contract.ts";
import { findSession, type User } from "#features/identity/index.ts";
import { findAllCompanies, findCompanyOfPage, type AllCtx } from "#features/companies/across-cells.ts";
import type { UserCompany } from "#features/companies/store.ts";

/** Reads the user data for the user's own pages. */
export async function readUser(ctx: AllCtx, user: User): Promise<UserData> {
  return toUserData(user, await findAllCompanies(ctx, user));
}

/**
 * Reads the user data embedded in a page, with the company the page starts with; null for guests.
 * The other companies are loaded later: an accountant's list would be larger than the page.
 * @param secret the session cookie
 */
export async function readVisitor(ctx: AllCtx, secret: string | undefined): Promise<PageUser | null> {
  const session = await findSession(ctx.home, secret);
  if (!session) return null;
  const { company, count, isFirst } = await findCompanyOfPage(ctx, session.user.id, session.realmId);
  return {
    ...toUserData(session.user, company ? [company] : []),
    company_count: count,
    company_is_first: isFirst,
  };
}

function toUserData(user: User, companies: readonly UserCompany[]): UserData {
  return {
    first_name: user.firstName,
    last_name: user.lastName,
    username: user.email,
    email: user.email,
    groups: [...user.groups],
    companies: companies.map(({ realmId, name, adminEmail, hasTracking }) => ({
      id: realmId,
      name,
      admin: adminEmail,
      ...(hasTracking ? { tracking: true as const } : {}),
    })),
  };
}
