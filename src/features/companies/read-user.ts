import type { PageUser, UserData } from "#features/identity/contract.ts";
import { findSession, type User } from "#features/identity/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { findCompaniesForUser, findPageCompany, type UserCompany } from "#features/companies/store.ts";

/** Reads the user data for the user's own pages. */
export async function readUser(ctx: Ctx, user: User): Promise<UserData> {
  return toUserData(user, await findCompaniesForUser(ctx.db, user.id, ctx.clock.now()));
}

/**
 * Reads the user data embedded in a page, with the company the page starts with; null for guests.
 * The other companies are loaded later: an accountant's list would be larger than the page.
 * @param secret the session cookie
 */
export async function readVisitor(ctx: Ctx, secret: string | undefined): Promise<PageUser | null> {
  const session = await findSession(ctx, secret);
  if (!session) return null;
  const { company, count, isFirst } = await findPageCompany(ctx.db, session.user.id, {
    realmId: session.realmId,
    now: ctx.clock.now(),
  });
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
    companies: companies.map(({ realmId, name, adminEmail, timeZone, hasTracking }) => ({
      id: realmId,
      name,
      admin: adminEmail,
      time_zone: timeZone,
      ...(hasTracking ? { tracking: true as const } : {}),
    })),
  };
}
