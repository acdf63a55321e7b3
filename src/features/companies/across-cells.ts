import type { IncomingHttpHeaders } from "node:http";
import { readSecret } from "#features/companies/api-keys/find-calling-key.ts";
import { findKeyBySecret } from "#features/companies/api-keys/store.ts";
import { findInvitations } from "#features/companies/store-members.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import { findLastRealm, type User } from "#features/identity/index.ts";
import {
  findCompaniesForUser,
  findCompanyDetails,
  findDefault,
  findPageCompany,
  type CompanyDetails,
  type UserCompany,
} from "#features/companies/store.ts";
import { askCells, type Cell, type Installation } from "#platform/cells.ts";
import type { Ctx } from "#platform/ctx.ts";

export type AllCtx = Ctx & Installation;

/** Finds the company that a new session of a user begins with, in all databases. */
export async function findDefaultCompany(ctx: Installation, userId: string): Promise<string | null> {
  const lastRealm = await findLastRealm(ctx.home.db, userId);
  const found = await askCells(ctx, ({ db }) => findDefault(db, userId, lastRealm));
  const candidates = found.flatMap(({ answer }) => answer ?? []);
  const last = candidates.find(({ realmId }) => realmId === lastRealm);
  const [first] = candidates.toSorted((a, b) => a.addedAt.getTime() - b.addedAt.getTime());
  return (last ?? first)?.realmId ?? null;
}

/** Finds the companies of a user in all databases, without disconnected ones: the default first, the others by name. */
export async function findAllCompanies(ctx: AllCtx, { id }: User): Promise<UserCompany[]> {
  const now = ctx.clock.now();
  const first = await findDefaultCompany(ctx, id);
  const found = await askCells(ctx, ({ db }) => findCompaniesForUser(db, id, now));
  const companies = inOrder(found, ({ name }) => name);
  return companies.toSorted((a, b) => Number(b.realmId === first) - Number(a.realmId === first));
}

/** Finds the same companies by name, with everything Settings shows. */
export async function findAllDetails(ctx: AllCtx, { id }: User): Promise<CompanyDetails[]> {
  const now = ctx.clock.now();
  const found = await askCells(ctx, ({ db }) => findCompanyDetails(db, id, { now }));
  return inOrder(found, ({ name }) => name);
}

/**
 * Finds the company a user's page starts with: the session's if it is theirs, else their default. Also counts their
 * companies and says whether this one is the default, which their list begins with.
 */
export async function findCompanyOfPage(
  ctx: AllCtx,
  userId: string,
  realmId: string | null,
): Promise<{ company: UserCompany | null; count: number; isFirst: boolean }> {
  const now = ctx.clock.now();
  const first = await findDefaultCompany(ctx, userId);
  const realmIds = [realmId, first].filter((one) => one !== null);
  const found = await askCells(ctx, ({ db }) => findPageCompany(db, userId, { realmIds, now }));
  const pages = found.flatMap(({ answer }) => answer ?? []);
  const company =
    realmIds.map((wanted) => pages.find((page) => page.company.realmId === wanted)).find(Boolean)?.company ??
    null;
  const count = pages.reduce((sum, page) => sum + page.count, 0);
  return { company, count, isFirst: company !== null && company.realmId === first };
}

/** Each database has its own order; only those of several are sorted again. */
function inOrder<Row>(found: readonly { answer: Row[] }[], name: (row: Row) => string): Row[] {
  const rows = found.flatMap(({ answer }) => answer);
  return found.length === 1 ? rows : rows.toSorted((a, b) => name(a).localeCompare(name(b)));
}

/** Finds open invitations in all databases, newest first. */
export async function findAllInvitations(ctx: Installation, which: { email: string } | { id: string }) {
  const found = await askCells(ctx, ({ db }) => findInvitations(db, which));
  return found
    .flatMap(({ cell, answer }) => answer.map((invitation) => ({ cell, invitation })))
    .toSorted((a, b) => b.invitation.invitedAt.getTime() - a.invitation.invitedAt.getTime());
}

/** Finds the invitations page for a user who has open ones; null for others. */
export async function findInvitationPage(ctx: Installation, user: User): Promise<string | null> {
  return (await findAllInvitations(ctx, { email: user.email })).length > 0 ? "/invitation/" : null;
}

/**
 * Finds the database of the company whose key a call has; undefined without one. A key that no database has may be one of a
 * database that is down, which then asks its caller to wait.
 */
export async function findKeyCell(
  { cells }: Installation,
  headers: IncomingHttpHeaders,
): Promise<Cell | undefined> {
  const secret = readSecret({ headers });
  if (secret === null) return undefined;
  const asked = cells.map(async (cell) => {
    try {
      return { cell, hasKey: (await findKeyBySecret(cell.db, hashSecret(secret))) !== undefined };
    } catch (error) {
      cell.log.warn(
        { err: error, cell: cell.cell },
        "A key was not looked for in a database, because it failed",
      );
      return { cell, hasKey: null };
    }
  });
  const answers = await Promise.all(asked);
  return (answers.find(({ hasKey }) => hasKey) ?? answers.find(({ hasKey }) => hasKey === null))?.cell;
}
