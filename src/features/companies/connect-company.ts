import type { Books } from "#integrations/intuit/client.ts";
import { auditBy } from "#features/audit/index.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import type { User } from "#features/identity/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError } from "#platform/errors.ts";
import { endsOf, sealTokens, type TokensCtx } from "#features/companies/refresh-tokens.ts";
import { isRealmId, knownTimeZone, type Company, type ConnectFailure } from "#features/companies/rules.ts";
import { addMember, removeAllMembers } from "#features/companies/store-members.ts";
import { addCompany, changeCompany, findMembership, renameCompany } from "#features/companies/store.ts";
import { findConnection, lockConnection, saveConnection } from "#features/companies/store-connections.ts";

export type ConnectCtx = TokensCtx & {
  books(realmId: string): Books;
  /** Books of a realm reached with one access token, before the company is stored. */
  booksWithToken(realmId: string, accessToken: string): Books;
  /** Called in the transaction that stores a company's new authorization. */
  onConnected(tx: Db, realmId: string): Promise<void>;
  /** How many uploads of a company are not finished. */
  countOpenUploads(tx: Db, realmId: string): Promise<number>;
  /** Plans the end of what a company pays for. */
  endSubscriptions(realmId: string): Promise<void>;
  /** Which user pays for what a company has now; null for nobody. */
  findPayer(tx: Db, realmId: string): Promise<string | null>;
};

/** A user who has just authorized a company at Intuit. */
export type Arrival = { user: User; grant: IntuitGrant; requestId: string };

/** Intuit names the country by two letters or, since 2025, by three. */
const US_NAMES: ReadonlySet<string> = new Set(["US", "USA"]);

/** The connected company, or why not; `company` is then the one it was about. */
export type Connected =
  | { kind: "connected"; company: Company }
  | { kind: "failed"; reason: ConnectFailure; company: Company | null };

/**
 * Connects the company a user has just authorized, or renews its authorization. The first to connect a company is
 * its admin, and so is the next one after it was disconnected, unless they are a member of it: then its admin stays. A
 * company that others have connected is not taken over. Tokens of a refused company are only dropped, never
 * revoked: revoking would end the authorization of those others too.
 */
export async function connectCompany(ctx: ConnectCtx, arrival: Arrival): Promise<Connected> {
  const { realmId, tokens } = arrival.grant;
  if (!realmId || !isRealmId(realmId)) return { kind: "failed", reason: "other", company: null };
  // The realm came by the browser. Until a read of the company proves it, nothing of a known company is shown.
  const info = await readCompanyInfo(ctx, realmId, tokens.accessToken);
  if (!info) return { kind: "failed", reason: "other", company: null };
  if (!US_NAMES.has(info.country)) return { kind: "failed", reason: "wrong_country", company: null };
  try {
    const isGivenUp = await releaseCompany(ctx, arrival.user, realmId);
    return await ctx.db
      .transaction()
      .execute((tx) => storeConnected(ctx, tx, { ...arrival, realmId, info, isGivenUp }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, realm: realmId }, "What is paid for the company could not be ended");
    return { kind: "failed", reason: "other", company: null };
  }
}

/**
 * A disconnected company is its next owner's: those who paid for it no longer reach it, so what they pay ends first.
 * @returns whether the user may take it over, if it is still disconnected then
 * @throws AppError 503 when the payment provider cannot be reached
 */
async function releaseCompany(ctx: ConnectCtx, user: User, realmId: string): Promise<boolean> {
  const connection = await findConnection(ctx.db, realmId);
  if (connection?.state !== "disconnected" || (await findMembership(ctx.db, realmId, user.id))) return false;
  await ctx.endSubscriptions(realmId);
  return true;
}

async function readCompanyInfo(ctx: ConnectCtx, realmId: string, accessToken: string) {
  try {
    const { data } = await ctx.booksWithToken(realmId, accessToken).companyInfo();
    return {
      name: data.CompanyName,
      country: data.Country ?? "US",
      timeZone: knownTimeZone(data.DefaultTimeZone),
    };
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    ctx.log.warn(
      { err: error, realm: realmId, tid: error.tid },
      "The company could not be read after connecting",
    );
    return null;
  }
}

type Proven = Arrival & {
  realmId: string;
  info: { name: string; timeZone: string };
  isGivenUp: boolean;
};

/** Two may connect a company at the same moment: whose it is, is decided where it is stored. */
async function storeConnected(
  ctx: ConnectCtx,
  tx: Db,
  { user, grant: { tokens }, requestId, realmId, info, isGivenUp }: Proven,
): Promise<Connected> {
  const now = ctx.clock.now();
  const id = ctx.ids.uuid();
  const own = { realmId, name: info.name, adminId: user.id, adminEmail: user.email };
  const added = { ...own, timeZone: info.timeZone, contactEmail: user.email, now };
  const known = await addCompany(tx, added);
  const isTakenOver = known !== null && !(await findMembership(tx, realmId, user.id));
  if (isTakenOver && !(isGivenUp && (await isDisconnected(tx, realmId))))
    return { kind: "failed", reason: "already_connected", company: known };
  if (isTakenOver) await startWithNewOwner(tx, realmId, user);
  if (known) await renameCompany(tx, added);
  await addMember(tx, realmId, { userId: user.id, now });
  await saveConnection(tx, {
    realm_id: realmId,
    id,
    state: "connected",
    ...sealTokens(ctx.sealingKeys, id, tokens),
    ...endsOf(tokens),
    refreshed_at: now,
    end_announced_at: null,
    connected_by: user.id,
    connected_at: now,
    updated_at: now,
  });
  await ctx.onConnected(tx, realmId);
  const { audit } = auditBy(ctx, { userId: user.id, realmId, requestId });
  const admins = isTakenOver && { before: { admin: known.adminEmail }, after: { admin: user.email } };
  await audit(tx, { action: "companies.connect", ids: { connection: id }, ...admins });
  return { kind: "connected", company: { ...own, ...(isTakenOver ? {} : known), name: info.name } };
}

const isDisconnected = async (tx: Db, realmId: string) =>
  (await lockConnection(tx, realmId))?.state === "disconnected";

/** Nobody of those before sees the books that a new owner connects, or gets mail about them. */
async function startWithNewOwner(tx: Db, realmId: string, user: User): Promise<void> {
  await removeAllMembers(tx, realmId);
  await changeCompany(tx, realmId, { admin_id: user.id, contact_email: user.email, ups_account: "" });
}
