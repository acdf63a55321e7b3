import type { Audited } from "#features/audit/index.ts";
import { lockCompany, requireStillAdmin, type Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from "#features/programs/webhooks/contract.ts";
import type { WebhooksCtx } from "#features/programs/webhooks/ctx.ts";
import { MAX_ENDPOINTS, OVERLAP_MS } from "#features/programs/webhooks/limits.ts";
import { sealSecret } from "#features/programs/webhooks/seals.ts";
import { SECRET_PREFIX } from "#features/programs/webhooks/sign-message.ts";
import {
  changeEndpoint,
  deleteEndpoint,
  findEndpoints,
  insertEndpoint,
  lockEndpoint,
  type StoredEndpoint,
} from "#features/programs/webhooks/store.ts";
import type { Db } from "#platform/db/connect.ts";
import { conflict, notFound, badRequest } from "#platform/errors.ts";
import { findAddress } from "#platform/outbound/public-address.ts";

type CallCtx = WebhooksCtx & Audited;
type Input = { url: string; events: readonly WebhookEvent[] };

/**
 * Adds an endpoint.
 * @returns it with its secret, which is shown nowhere else
 * @throws AppError 400 for an address that may not be called; 403 for a user who is no longer the admin; 409 for too many
 */
export async function addEndpoint(
  ctx: CallCtx,
  { company: { realmId }, user, ...input }: Input & { company: Company; user: User },
): Promise<{ webhook: Webhook; secret: string }> {
  const url = await checkUrl(ctx, input.url);
  const place = { realm_id: realmId, id: ctx.ids.uuid() };
  const secret = newSecret(ctx);
  const endpoint: StoredEndpoint = {
    ...place,
    url,
    events: inOrder(input.events),
    state: "active",
    failing_since: null,
    secret_sealed: sealSecret(ctx, place, secret),
    old_secret_sealed: null,
    old_secret_until: null,
    created_at: ctx.clock.now(),
    created_by: user.email,
  };
  await ctx.db.transaction().execute(async (tx) => {
    await requireStillAdmin(tx, await lockCompany(tx, realmId), user);
    if ((await findEndpoints(tx, realmId)).length >= MAX_ENDPOINTS)
      throw conflict(
        "too_many_webhooks",
        `A company has at most ${MAX_ENDPOINTS} webhooks. Delete one first.`,
      );
    await insertEndpoint(tx, endpoint);
    await ctx.audit(tx, {
      action: "companies.add_webhook",
      ids: { webhook: place.id },
      after: facts(endpoint),
    });
  });
  return { webhook: toWebhook(endpoint), secret };
}

/**
 * Saves an endpoint's address and events, and turns it on again.
 * @throws AppError 400 for an address that may not be called; 404 for one that the company does not have
 */
export async function saveEndpoint(
  ctx: CallCtx,
  { realmId }: Company,
  { id, ...input }: Input & { id: string },
): Promise<Webhook> {
  await withEndpoint(ctx, { realmId, id }, () => Promise.resolve());
  const url = await checkUrl(ctx, input.url);
  return withEndpoint(ctx, { realmId, id }, async (tx, was) => {
    const change = { url, events: inOrder(input.events), state: "active" as const, failing_since: null };
    await changeEndpoint(tx, { realmId, id }, change);
    const endpoint = { ...was, ...change };
    await ctx.audit(tx, {
      action: "companies.save_webhook",
      ids: { webhook: id },
      before: facts(was),
      after: facts(endpoint),
    });
    return toWebhook(endpoint);
  });
}

/** Removes an endpoint with its messages. @throws AppError 404 for one that the company does not have */
export async function removeEndpoint(ctx: CallCtx, { realmId }: Company, id: string): Promise<void> {
  await withEndpoint(ctx, { realmId, id }, async (tx, endpoint) => {
    await deleteEndpoint(tx, { realmId, id });
    await ctx.audit(tx, {
      action: "companies.remove_webhook",
      ids: { webhook: id },
      before: facts(endpoint),
    });
  });
}

/**
 * Replaces an endpoint's secret. Messages are signed with the old one too for a while, so that none is refused meanwhile.
 * @throws AppError 404 for one that the company does not have
 */
export async function replaceSecret(
  ctx: CallCtx,
  { realmId }: Company,
  id: string,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = newSecret(ctx);
  return withEndpoint(ctx, { realmId, id }, async (tx, was) => {
    const change = {
      secret_sealed: sealSecret(ctx, was, secret),
      old_secret_sealed: was.secret_sealed,
      old_secret_until: new Date(ctx.clock.now().getTime() + OVERLAP_MS),
    };
    await changeEndpoint(tx, { realmId, id }, change);
    await ctx.audit(tx, {
      action: "companies.replace_webhook_secret",
      ids: { webhook: id },
      after: { url: was.url },
    });
    return { webhook: toWebhook({ ...was, ...change }), secret };
  });
}

/** Does something with a locked endpoint. @throws AppError 404 for one that the company does not have */
export const withEndpoint = <T>(
  { db }: Pick<WebhooksCtx, "db">,
  place: { realmId: string; id: string },
  act: (tx: Db, endpoint: StoredEndpoint) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (tx) => {
    const endpoint = await lockEndpoint(tx, place);
    if (!endpoint) throw notFound("We can't find this webhook. Reload the page.");
    return act(tx, endpoint);
  });

const newSecret = ({ ids }: WebhooksCtx) =>
  SECRET_PREFIX + Buffer.from(ids.secret(), "base64url").toString("base64");

const inOrder = (events: readonly WebhookEvent[]) => WEBHOOK_EVENTS.filter((event) => events.includes(event));

const facts = ({ url, events }: Pick<StoredEndpoint, "url" | "events">) => ({ url, events });

export const toWebhook = ({ id, url, events, state, created_by, ...times }: StoredEndpoint): Webhook => ({
  id,
  url,
  events: [...events],
  state,
  failing_since: times.failing_since?.toISOString() ?? null,
  old_secret_until: times.old_secret_until?.toISOString() ?? null,
  created_at: times.created_at.toISOString(),
  created_by,
});

/**
 * Checks an address that an admin typed. It is checked again at each attempt, because a name can get another address.
 * @returns the address as it is stored
 * @throws AppError 400 if it isn't a URL, isn't https, has a password, or can't or may not be reached
 */
async function checkUrl(
  { reach, resolve }: Pick<WebhooksCtx, "reach" | "resolve">,
  text: string,
): Promise<string> {
  const url = URL.parse(text);
  const isPlain = url?.protocol === "http:" && reach === "loopback";
  if (!url || (url.protocol !== "https:" && !isPlain))
    throw badRequest("webhook_not_https", "Enter an address that begins with https://.");
  if (url.username !== "" || url.password !== "")
    throw badRequest("webhook_has_password", "Enter the address without a user name and password.");
  const found = await findAddress(hostIn(url), reach, resolve);
  if ("fault" in found)
    throw found.fault === "private"
      ? badRequest(
          "webhook_private",
          "This address is in a private network. Enter one on the public internet.",
        )
      : badRequest("webhook_unknown", "There is no server with this name. Check the address.");
  url.hash = "";
  return url.href;
}

const hostIn = ({ hostname }: URL) => hostname.replaceAll(/[[\]]/g, "");
