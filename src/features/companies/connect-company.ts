import type { Books } from "#integrations/intuit/client.ts";
import { auditBy } from "#features/audit/index.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import type { User } from "#features/identity/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError, notFound } from "#platform/errors.ts";
import {
  connectionEnds,
  sealTokens,
  type TokensCtx,
} from "#features/companies/connection-health/refresh-tokens.ts";
import { isRealmId, knownTimeZone, type Company, type ConnectFailure } from "#features/companies/rules.ts";
import { addMember, removeAllMembers } from "#features/companies/store-members.ts";
import { addCompany, changeCompany, findMembership, renameCompany } from "#features/companies/store.ts";
import { findConnection, lockConnection, saveConnection } from "#features/companies/store-connections.ts";
import type * as z from "zod";
import { seal, unseal, type SealingKeys } from "#platform/crypto/seal.ts";
import * as contract from "#features/companies/contract.ts";

export type ConnectCtx = TokensCtx & {
  books(realmId: string): Books;
  /** Client for a realm with one access token, used before the company is stored. */
  booksWithToken(realmId: string, accessToken: string): Books;
  /** Called in the transaction that stores a company's new authorization. */
  onConnected(tx: Db, realmId: string): Promise<void>;
  /** Called in the transaction that gives a disconnected company to its next owner. */
  onTakenOver(tx: Db, realmId: string): Promise<void>;
  /** Counts a company's unfinished uploads. */
  countOpenUploads(tx: Db, realmId: string): Promise<number>;
  /** Ends a company's subscriptions at the end of their period. */
  /** @returns how many subscriptions were live */
  endSubscriptions(realmId: string): Promise<number>;
  /** Ends the events that UPS sends of the company's account. */
  stopAlerts(realmId: string): Promise<void>;
  /** Finds the user whose card is charged again for the company; null for none. */
  findRenewingPayer(tx: Db, realmId: string): Promise<string | null>;
};

/** A user who has just authorized a company at Intuit. */
export type Arrival = { user: User; grant: IntuitGrant; requestId: string };

/** Intuit names the country by two letters or, since 2025, by three. */
const US_NAMES: ReadonlySet<string> = new Set(["US", "USA"]);

/** The connected company, or the reason for the failure and the company concerned. */
export type Connected =
  | { kind: "connected"; company: Company }
  | { kind: "failed"; reason: ConnectFailure; company: Company | null };

/**
 * Connects the company a user has just authorized, or renews its authorization. The first user who connects a company
 * becomes its admin, and so does the next one after it was disconnected, unless they are a member: then the admin stays. A
 * company connected by others is not taken over. Tokens of a refused company are dropped but never
 * revoked, because revoking would also end the others' authorization.
 */
export async function connectCompany(ctx: ConnectCtx, arrival: Arrival): Promise<Connected> {
  const { realmId, tokens } = arrival.grant;
  if (!realmId || !isRealmId(realmId)) return { kind: "failed", reason: "other", company: null };
  // The realm id came from the browser. Nothing about the company is shown until reading it proves access.
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
 * Ends the subscriptions of a disconnected company before its next owner takes it over, since the payer loses access, and
 * UPS's events of its account, while its login is stored.
 * @returns whether the user may take it over, provided it is still disconnected
 * @throws AppError 503 when the payment provider cannot be reached
 */
async function releaseCompany(ctx: ConnectCtx, user: User, realmId: string): Promise<boolean> {
  const connection = await findConnection(ctx.db, realmId);
  if (connection?.state !== "disconnected" || (await findMembership(ctx.db, realmId, user.id))) return false;
  await ctx.endSubscriptions(realmId);
  await ctx.stopAlerts(realmId);
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

/** Stores the company. Of two users who connect it at the same moment, this transaction decides who owns it. */
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
  if (isTakenOver) await startWithNewOwner(ctx, tx, { realmId, user });
  if (known) await renameCompany(tx, added);
  await addMember(tx, realmId, { userId: user.id, now });
  await saveConnection(tx, {
    realm_id: realmId,
    id,
    state: "connected",
    ...sealTokens(ctx.sealingKeys, id, tokens),
    ...connectionEnds(tokens),
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

/**
 * Removes former members, their contact data and what they connected, so that neither they nor their programs see the new
 * owner's books, and the new owner uses no account of theirs.
 */
async function startWithNewOwner(
  ctx: ConnectCtx,
  tx: Db,
  { realmId, user }: { realmId: string; user: User },
): Promise<void> {
  await removeAllMembers(tx, realmId);
  const own = { admin_id: user.id, contact_email: user.email };
  await changeCompany(tx, realmId, { ...own, ups_account: "", ups_state: "none" });
  await ctx.onTakenOver(tx, realmId);
}

type RefusalCtx = { sealingKeys: SealingKeys };

type Refusal = z.output<typeof contract.readRefusal.response>;

/**
 * Opens the token of `sealRefusal` with the name and admin of the company the user tried to connect.
 * @throws AppError 404 for anything that was not sealed for this user
 */
export function readRefusal(ctx: RefusalCtx, user: User, sealed: string): Refusal {
  try {
    return contract.readRefusal.response.parse(
      JSON.parse(unseal(ctx.sealingKeys, sealPurpose(user), sealed)),
    );
  } catch {
    throw notFound(
      "We no longer know why this company couldn't be connected. Connect it again to see whom to ask.",
    );
  }
}

/**
 * Seals company name and admin for use in an address. Sealing proves that we wrote them, since anyone can make up an
 * address, and shows the admin's e-mail only to the user who proved access to the books.
 */
export function sealRefusal(ctx: RefusalCtx, user: User, { name, adminEmail }: Company): string {
  const shown: Refusal = { company: name, admin: adminEmail };
  return seal(ctx.sealingKeys, sealPurpose(user), JSON.stringify(shown));
}

const sealPurpose = (user: User) => `refusal:${user.id}`;
