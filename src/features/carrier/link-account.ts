import { createHmac } from "node:crypto";
import type { Audited } from "#features/audit/index.ts";
import { UPS_ACCOUNT } from "#features/carrier/contract.ts";
import type { CarrierCtx, LinkedCtx } from "#features/carrier/ctx.ts";
import {
  accountNotTheirs,
  foreignState,
  otherAccount,
  toAppError,
  wrongAccount,
} from "#features/carrier/errors.ts";
import {
  addRequest,
  changeLink,
  findLink,
  isAlertedElsewhere,
  removeLink,
  saveLink,
  takeRequest,
  type LinkRequest,
} from "#features/carrier/store.ts";
import { callUps, sealTokens } from "#features/carrier/tokens.ts";
import {
  changeCompany,
  findMembership,
  isCompanyAdmin,
  requireService,
  type Company,
} from "#features/companies/index.ts";
import type { Session } from "#features/identity/index.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { UpsTokens } from "#integrations/ups/sign-in.ts";
import { deriveKey, hashSecret, type SealingKeys } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";

/** Time for the user to sign in at UPS. */
const REQUEST_LIFE_MS = 10 * 60_000;

/**
 * Starts connecting a UPS account.
 * @returns address of UPS's sign-in page
 * @throws AppError 400 if the text isn't an account number; 402 without an active Tracking Service
 */
export async function startLink(
  ctx: LinkedCtx,
  { session, company, account: typed }: { session: Session; company: Company; account: string },
): Promise<string> {
  await requireService(ctx, company.realmId, "tracking");
  const account = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  if (!UPS_ACCOUNT.test(account)) throw wrongAccount();
  const state = ctx.ids.secret();
  await addRequest(ctx.db, {
    state_hash: hashSecret(state),
    session_hash: session.idHash,
    user_id: session.user.id,
    realm_id: company.realmId,
    account,
    created_at: ctx.clock.now(),
  });
  return ctx.ups.authorizeUrl(state, deriveVerifier(ctx.sealingKeys, state));
}

/** The verifier of a request, which never leaves this server before the code comes back. It need not be stored. */
function deriveVerifier([first]: SealingKeys, state: string): string {
  if (!first) throw new Error("No sealing key is configured.");
  return createHmac("sha256", deriveKey(first.key, "ups-link")).update(state).digest("base64url");
}

/**
 * Finds the request that a callback answers, and uses it up. It must come from the same session and user, who must still be
 * the company's admin.
 * @throws AppError 403 for any other
 */
export async function takeLinkRequest(
  ctx: CarrierCtx,
  session: Session,
  state: string,
): Promise<LinkRequest> {
  const oldest = new Date(ctx.clock.now().getTime() - REQUEST_LIFE_MS);
  const request = await takeRequest(ctx.db, hashSecret(state), oldest);
  if (!request?.session_hash.equals(session.idHash) || request.user_id !== session.user.id)
    throw foreignState();
  await requireAdmin(ctx.db, request);
  return request;
}

async function requireAdmin(db: Db, { realm_id: realmId, user_id: userId }: Requested): Promise<void> {
  const company = await findMembership(db, realmId, userId);
  if (!company || !isCompanyAdmin(company, userId)) throw foreignState();
}

/**
 * Exchanges the code of a callback, proves that its UPS ID may use the account, and stores the link. Nothing is stored
 * before: a link that proves nothing would fail at the first label.
 * @throws AppError 403 when the company got another admin meanwhile; 409 when UPS refuses, or the UPS ID can't use the account; 503 when
 * UPS doesn't answer
 */
export async function finishLink(
  ctx: LinkedCtx & Audited,
  request: LinkRequest,
  { code, state }: { code: string; state: string },
): Promise<void> {
  await requireService(ctx, request.realm_id, "tracking");
  await linkAccount(ctx, request, { code, verifier: deriveVerifier(ctx.sealingKeys, state) });
}

type Proof = { code: string; verifier: string };

type Requested = Pick<LinkRequest, "realm_id" | "user_id">;

/** The same for the demo, which has an account without the service. */
export async function linkAccount(
  ctx: LinkedCtx & Audited,
  request: Requested & Pick<LinkRequest, "account">,
  proof: Proof,
): Promise<void> {
  const { realm_id: realmId, account, user_id: userId } = request;
  const tokens = await proveAccount(ctx, account, proof);
  // UPS took seconds, in which the company may have got another owner, whose account's events go on.
  await requireAdmin(ctx.db, request);
  const former = await findLink(ctx.db, realmId);
  if (former && former.account !== account) await stopAlerts(ctx, realmId);
  const now = ctx.clock.now();
  const id = ctx.ids.uuid();
  await ctx.db.transaction().execute(async (tx) => {
    // The company first, as everywhere: a link is changed under its lock.
    const was = await changeCompany(tx, realmId, { ups_account: account, ups_state: "connected" });
    await requireAdmin(tx, request);
    await saveLink(tx, {
      realm_id: realmId,
      id,
      account,
      ...sealTokens(ctx.sealingKeys, id, tokens),
      linked_by: userId,
      linked_at: now,
      refreshed_at: now,
      used_at: now,
      refused_at: null,
      refusals: 0,
      alerts: null,
    });
    await ctx.audit(tx, {
      action: "carrier.connect",
      before: { ups_account: was.ups_account },
      after: { ups_account: account },
    });
  });
}

async function proveAccount(
  { ups }: LinkedCtx,
  account: string,
  { code, verifier }: Proof,
): Promise<UpsTokens> {
  try {
    const tokens = await ups.exchangeCode(code, verifier);
    if (!(await ups.checkAccount(tokens.accessToken, account))) throw accountNotTheirs(account);
    return tokens;
  } catch (error) {
    throw toAppError(error);
  }
}

/**
 * Ends our access to a company's UPS account, with the Tracking Service or without: UPS has no call for that, so the tokens are removed and expire there.
 * @param account the account that the user saw; null for any
 * @throws AppError 409 when another account has been connected since
 */
export async function endLink(
  ctx: CarrierCtx & Audited,
  { realmId }: Company,
  account: string | null,
): Promise<void> {
  await stopAlerts(ctx, realmId, account);
  await ctx.db.transaction().execute(async (tx) => {
    const was = await changeCompany(tx, realmId, { ups_account: "", ups_state: "none" });
    if (account !== null && was.ups_account !== "" && was.ups_account !== account)
      throw otherAccount(was.ups_account);
    await removeLink(tx, realmId);
    if (was.ups_account === "") return;
    await ctx.audit(tx, { action: "carrier.disconnect", before: { ups_account: was.ups_account } });
  });
}

/**
 * UPS sends events of a whole account without an end: they are stopped while its login is stored. A failure holds nothing up.
 * @param account only for this one; null for any
 */
export async function stopAlerts(
  ctx: CarrierCtx,
  realmId: string,
  account: string | null = null,
): Promise<void> {
  const link = await findLink(ctx.db, realmId);
  if (link?.alerts !== "sent" || (account !== null && account !== link.account)) return;
  if (await isAlertedElsewhere(ctx.db, link)) return;
  try {
    await callUps(ctx, realmId, (ups, { token }) => ups.unsubscribeAccount(token, link.account));
    // If the account stays after all, it is subscribed again.
    await changeLink(ctx.db, link, { alerts: null });
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    ctx.log.warn(
      { err: error, realm: realmId },
      "UPS goes on sending the events of an account that is disconnected",
    );
  }
}
