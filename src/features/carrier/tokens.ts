import type { CarrierCtx, LinkedCtx } from "#features/carrier/ctx.ts";
import {
  changeLink,
  findIdleLinks,
  findLink,
  findSeals,
  lockLink,
  noteAppFault,
  removeLink,
  type Link,
} from "#features/carrier/store.ts";
import { changeCompany, findContacts } from "#features/companies/index.ts";
import { addEvent } from "#features/programs/index.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { Ups } from "#integrations/ups/client.ts";
import type { UpsTokens } from "#integrations/ups/sign-in.ts";
import { seal, sealedWith, unseal, UnreadableSecret, type SealingKeys } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/connect.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import { DAY_MS } from "#platform/time.ts";

/** Age after which unused links are refreshed: UPS ends them after 60 days. */
const KEEP_ALIVE_AFTER_MS = 30 * DAY_MS;
/** UPS has refused good tokens for hours. A link counts as ended when it is still refused this long after the first time. */
const DOUBTED_MS = DAY_MS / 2;

/** Refusals after which users are notified: one may be a slip of UPS's. */
const TOLD_AFTER = 2;

const keepLinksRun = defineRun({
  kind: "carrier.keep-links",
  lane: () => "carrier:links",
  every: "day",
  at: "05:11",
});

/** The runs of carrier accounts; none where UPS accounts aren't connected. */
export const carrierRuns = (ctx: CarrierCtx): BoundRun[] =>
  ctx.ups ? [bindRun(keepLinksRun, keepLinks, { ...ctx, ups: ctx.ups })] : [];

/** Refreshes links that nothing uses, and finds those that have ended before a user needs them. */
async function keepLinks(ctx: LinkedCtx, { run, stop }: RunWork): Promise<Ending> {
  for (const realmId of await findIdleLinks(
    ctx.db,
    new Date(ctx.clock.now().getTime() - KEEP_ALIVE_AFTER_MS),
  )) {
    if (stop.aborted) return { state: "queued" };
    try {
      await refreshLink(ctx, realmId);
    } catch (error) {
      if (!(error instanceof UpsError)) throw error;
      // Tried again tomorrow; a link that has ended is marked by now.
      ctx.log.warn({ err: error, realm: realmId }, "An idle UPS account could not be refreshed");
    }
    run.noteProgress?.();
  }
  return { state: "done" };
}

/**
 * Refreshes the tokens of a company. UPS is called while the row is locked, against our own rule for transactions,
 * because a refresh token works once: a second call would end the link. The new pair is stored before it is used.
 * @param seen the tokens that the caller found wanting: nothing is done if others were stored since
 * @throws UpsError when UPS gave no new pair
 */
async function refreshLink(ctx: LinkedCtx, realmId: string, seen?: Link): Promise<void> {
  const failure = await ctx.db.transaction().execute(async (tx) => {
    const link = await lockLink(tx, realmId);
    if (!link || (seen && seen.access_token_sealed !== link.access_token_sealed)) return null;
    const now = ctx.clock.now();
    try {
      const tokens = await askForPair(ctx, openToken(ctx, link, link.refresh_token_sealed));
      const sealed = sealTokens(ctx.sealingKeys, link.id, tokens);
      await changeLink(tx, link, { ...sealed, refreshed_at: now, refused_at: null, refusals: 0 });
      if (link.refusals >= TOLD_AFTER) await changeCompany(tx, realmId, { ups_state: "connected" });
      await noteAppFault(tx, null);
      return null;
    } catch (error) {
      if (!(error instanceof UpsError)) throw error;
      if (error.kind === "app") await noteAppFault(tx, toAppFault(error, now));
      // The call that needs the tokens was not sent, whatever became of this one.
      if (error.kind === "uncertain")
        return new UpsError({ kind: "network", http: error.http, faults: error.faults, cause: error });
      if (error.kind !== "auth" && error.kind !== "refused") return error;
      const refusedAt = link.refused_at ?? now;
      const refusals = link.refusals + 1;
      await changeLink(tx, link, { refused_at: refusedAt, refusals });
      if (refusals === TOLD_AFTER) await changeCompany(tx, realmId, { ups_state: "reconnect_needed" });
      if (now.getTime() - refusedAt.getTime() >= DOUBTED_MS) await markEnded(ctx, tx, link);
      // The login is refused, not the call that needs it.
      return new UpsError({ kind: "auth", http: error.http, faults: error.faults, cause: error });
    }
  });
  if (failure) throw failure;
}

/** Uses within ten minutes are noted as one. */
const NOTE_EVERY_MS = 600_000;

/** An access token that ends sooner than this is refreshed first. */
const SPARE_MS = 120_000;

/**
 * Makes a call for a company under its tokens. They are refreshed before when they end soon, and once when UPS refuses them:
 * a call that was refused so was not done, and is made again.
 * @throws UpsError; `auth` when no UPS account is connected, or UPS no longer accepts it
 */
export async function callUps<T>(
  ctx: CarrierCtx,
  realmId: string,
  call: (ups: Ups, access: { token: string; account: string }) => Promise<T>,
): Promise<T> {
  const { ups } = ctx;
  const linked = ups && { ...ctx, ups };
  const link = linked && (await findLink(ctx.db, realmId));
  if (!linked || !link) throw new UpsError({ kind: "auth", message: "No UPS account is connected" });
  const read = async (seen: Link): Promise<Link> => {
    await refreshLink(linked, realmId, seen);
    const fresh = await findLink(ctx.db, realmId);
    if (!fresh) throw new UpsError({ kind: "auth", message: "The UPS account was disconnected" });
    return fresh;
  };
  const make = (stored: Link) =>
    call(linked.ups, {
      token: openToken(linked, stored, stored.access_token_sealed),
      account: stored.account,
    });
  const now = ctx.clock.now();
  const endsAt = link.access_expires_at.getTime() - SPARE_MS;
  const current = endsAt > now.getTime() ? link : await read(link);
  if (now.getTime() - current.used_at.getTime() >= NOTE_EVERY_MS)
    await changeLink(ctx.db, current, { used_at: now });
  try {
    return await make(current);
  } catch (error) {
    if (!(error instanceof UpsError) || error.kind !== "auth") throw error;
    return make(await read(current));
  }
}

/** UPS's words about this installation's own client id and secret. */
function toAppFault({ faults }: UpsError, at: Date) {
  const [{ code, message } = { code: "", message: "" }] = faults;
  return { code, message, at };
}

/** A token whose answer was lost may be good still: it is tried once more. */
async function askForPair({ ups }: LinkedCtx, token: string): Promise<UpsTokens> {
  try {
    return await ups.refresh(token);
  } catch (error) {
    if (error instanceof UpsError && error.kind === "uncertain" && error.http === null)
      return ups.refresh(token);
    throw error;
  }
}

/** Removes a link that UPS no longer accepts; the company's admin and webhooks are notified, once each time it ends. */
async function markEnded(ctx: LinkedCtx, tx: Db, { realm_id: realmId, account }: Link): Promise<void> {
  await removeLink(tx, realmId);
  await changeCompany(tx, realmId, { ups_state: "reconnect_needed" });
  const { company, recipients } = await findContacts(tx, realmId);
  for (const recipient of recipients)
    await ctx.notify(tx, { kind: "ups_reconnect_needed", realmId, recipient, params: { company, account } });
  await addEvent(ctx, tx, { realmId, event: "connection.lost", data: { vendor: "ups" } });
}

/** Token columns of a link, sealed for this link only. */
export const sealTokens = (keys: SealingKeys, linkId: string, tokens: UpsTokens) => ({
  access_token_sealed: seal(keys, linkId, tokens.accessToken),
  access_expires_at: tokens.accessExpiresAt,
  refresh_token_sealed: seal(keys, linkId, tokens.refreshToken),
  refresh_expires_at: tokens.refreshExpiresAt,
});

/** @throws UpsError `auth` for a token that no key opens: the account must be connected again */
function openToken({ sealingKeys }: LinkedCtx, link: Link, sealed: string): string {
  try {
    return unseal(sealingKeys, link.id, sealed);
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    const kind = error.reason === "altered" ? "auth" : "network";
    throw new UpsError({ kind, message: "A stored token cannot be opened", cause: error });
  }
}

/** Ids of the keys that links in use need. */
export const findLinkKeys = async (db: Db): Promise<string[]> => [
  ...new Set((await findSeals(db)).map(({ keyId }) => keyId)),
];

/** Seals the tokens of all links with the first key, so that older keys can be removed. */
export async function renewLinkSeals({ db, sealingKeys }: CarrierCtx): Promise<void> {
  const others = (await findSeals(db)).filter(({ keyId }) => keyId !== sealingKeys[0]?.id);
  for (const realmId of new Set(others.map((each) => each.realmId)))
    await db.transaction().execute(async (tx) => {
      const link = await lockLink(tx, realmId);
      const isKnown = (sealed: string) => sealingKeys.some(({ id }) => id === sealedWith(sealed));
      if (!link || !isKnown(link.access_token_sealed) || !isKnown(link.refresh_token_sealed)) return;
      const renew = (sealed: string) => seal(sealingKeys, link.id, unseal(sealingKeys, link.id, sealed));
      await changeLink(tx, link, {
        access_token_sealed: renew(link.access_token_sealed),
        refresh_token_sealed: renew(link.refresh_token_sealed),
      });
    });
}
