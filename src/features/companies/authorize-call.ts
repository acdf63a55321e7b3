import type { FastifyRequest } from "fastify";
import type { Access, Group } from "#contract/endpoint.ts";
import { isLineText, LINE_TEXT_REFUSED } from "#contract/text.ts";
import { auditBy, type Audited } from "#features/audit/index.ts";
import { findSession, type User, type Session } from "#features/identity/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { badRequest, forbidden, signInRequired } from "#platform/errors.ts";
import type { Call } from "#platform/http/mount.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import { isCompanyAdmin, isRealmId, type Company } from "#features/companies/rules.ts";
import { findDefaultCompany, findMembership } from "#features/companies/store.ts";

/** A company's key that made a call. */
export type CallingKey = { id: string; name: string };

/** Session of a call and the company it is about, or the company's key that made it. */
export type Caller = { session: Session | null; company: Company | null; key?: CallingKey };

/** Parts of the product, as users know them. */
export const AREAS: Record<Group, string> = { app: "Invoices", brainchild: "Labels", admin: "Admin" };

/** Authorizes a request by its session: 401 without one, 403 without group, membership or admin right. */
export function authorizeBySession(ctx: Ctx, cookie: SafeCookie) {
  return async (request: FastifyRequest, access: Exclude<Access, { kind: "key" }>): Promise<Caller> => {
    if (access.kind === "public") return { session: null, company: null };
    const session = await findSession(ctx, cookie.read(request));
    if (!session) throw signInRequired();
    requireGroup(session.user, access.group);
    if (access.kind === "user") return { session, company: null };
    const company = await findCallCompany(ctx, request, session);
    if (access.admin) requireCompanyAdmin(company, session.user);
    return { session, company };
  };
}

/** Adds an audit function that records the caller's actions in the trail of the call's company. */
export const withAudit = <C extends Ctx>(
  ctx: C,
  { caller, request }: Call<Caller>,
  realmId = caller.company?.realmId ?? null,
): C & Audited => ({
  ...ctx,
  ...auditBy(ctx, {
    userId: caller.session?.user.id ?? null,
    realmId,
    requestId: request.id,
    key: caller.key ?? null,
  }),
});

/** Names the user or key that calls, and the company of the call; null for guests. */
export function identifyCaller({ session, company, key }: Caller) {
  const caller = session ? `user ${session.user.id}` : key ? `key ${key.id}` : null;
  return caller === null ? null : { realmId: company?.realmId ?? "", caller };
}

/** Company of a call with access `member`. */
export function currentCompany({ caller }: { caller: Caller }): Company {
  if (!caller.company) throw new Error("This endpoint is not about a company.");
  return caller.company;
}

/** User or API key of a call, as lists name it; only users have an id. */
export function currentActor({ caller }: { caller: Caller }): { id: string | null; name: string } {
  if (caller.key) return { id: null, name: `API key ${caller.key.name}` };
  const { id, email } = currentUser({ caller });
  return { id, name: email };
}

/** User of a call that requires sign-in. */
export function currentUser({ caller }: { caller: Caller }): User {
  return currentSession({ caller }).user;
}

export function currentSession({ caller }: { caller: Caller }): Session {
  if (!caller.session) throw new Error("This endpoint is open to everyone.");
  return caller.session;
}

/** @throws AppError 403 unless the user is the company's admin */
function requireCompanyAdmin(company: Company, user: User): void {
  if (!isCompanyAdmin(company, user.id))
    throw forbidden("not_company_admin", "Only the company admin can do this.");
}

/**
 * Repeats the check of the start of a call, after waiting for other changes of its company.
 * @throws AppError 403 unless the user is still a member and the admin
 */
export async function requireStillAdmin(tx: Db, company: Company, user: User): Promise<void> {
  if (!(await findMembership(tx, company.realmId, user.id))) throw notAMember();
  requireCompanyAdmin(company, user);
}

/** @throws AppError 403 unless the user has the group */
export function requireGroup(user: User, group: Group | undefined): void {
  if (!group || user.groups.includes(group)) return;
  throw forbidden(
    "missing_group",
    `You don't have access to ${AREAS[group]}. Ask your administrator or contact us.`,
  );
}

/** Takes the company from the query, else from the header with the company on screen, else the default. */
async function findCallCompany(ctx: Ctx, request: FastifyRequest, session: Session): Promise<Company> {
  const { realm_id: asked } = request.query as { realm_id?: unknown };
  if (typeof asked === "object")
    throw badRequest("invalid_request", 'The query parameter "realm_id" must be a single text value.');
  const header = request.headers["x-realm-id"];
  const named = typeof asked === "string" ? asked : typeof header === "string" ? header : session.realmId;
  const { id: userId } = session.user;
  const realmId = named || (await findDefaultCompany(ctx.db, userId));
  if (realmId !== null && !isLineText(realmId))
    throw badRequest("invalid_request", `The ID of the company ${LINE_TEXT_REFUSED}.`);
  const company = realmId && isRealmId(realmId) ? await findMembership(ctx.db, realmId, userId) : undefined;
  if (company) return company;
  if (!realmId)
    throw badRequest("no_company", "You have no active company connections. Connect a company first.");
  throw notAMember();
}

const notAMember = () =>
  forbidden(
    "not_a_member",
    "You aren't a user of this company. Choose another company, or ask its admin to add you.",
  );
