import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";
import { activateSubscription } from "#features/billing/activate-subscription.ts";
import { takeBilling } from "#features/billing/change-payer.ts";
import * as contract from "#features/billing/contract.ts";
import type { BillingCtx, PaidCtx } from "#features/billing/ctx.ts";
import { nothingSold } from "#features/billing/errors.ts";
import { receiveEvent } from "#features/billing/events.ts";
import { MAX_EVENT_BYTES } from "#features/billing/limits.ts";
import { listSubscriptions, readPayer } from "#features/billing/list-subscriptions.ts";
import { openPortal } from "#features/billing/open-portal.ts";
import { listPayments } from "#features/billing/store-accounts.ts";
import { startPayment } from "#features/billing/start-payment.ts";

/** Webhook path for Stripe's events. */
export const WEBHOOK_PATH = "/stripe/webhook";

type Options = { ctx: BillingCtx; mount: Mount<Caller>; serveRoute: ServeRoute };

export function billingRoutes({ ctx, mount, serveRoute }: Options): void {
  mount(contract.listSubscriptions, async (_input, call) =>
    ctx.payments ? listSubscriptions(paid(ctx), currentCompany(call), currentUser(call)) : [],
  );

  mount(contract.readPayer, async (_input, call) =>
    ctx.payments ? readPayer(ctx, currentCompany(call), currentUser(call)) : { payer: null, is_payer: false },
  );

  mount(contract.listPayments, (_input, call) =>
    ctx.payments ? listPayments(ctx.db, currentUser(call).id) : Promise.resolve([]),
  );

  mount(contract.startPayment, ({ body }, call) =>
    startPayment(withAudit(paid(ctx), call), {
      company: currentCompany(call),
      user: currentUser(call),
      priceId: body.price_id ?? null,
      subscriptionId: body.subscription_id ?? null,
      isTrial: body.trial ?? false,
    }),
  );

  mount(contract.activateSubscription, ({ body }, call) =>
    activateSubscription(withAudit(paid(ctx), call), currentCompany(call), body.subscription_id),
  );

  mount(contract.takeOverBilling, (_input, call) =>
    takeBilling(withAudit(paid(ctx), call), currentCompany(call), currentUser(call)),
  );

  mount(contract.openPortal, async (_input, call) => ({
    redirect: await openPortal(paid(ctx), currentCompany(call), currentUser(call)),
  }));

  serveRoute(
    {
      method: "POST",
      path: WEBHOOK_PATH,
      gate: { of: "vendors", maxBytes: MAX_EVENT_BYTES, large: "once signed" },
    },
    async (request, reply) => {
      const signature = request.headers["stripe-signature"];
      await receiveEvent(paid(ctx), {
        body: request.body as Buffer,
        signature: typeof signature === "string" ? signature : undefined,
      });
      return reply.code(200).send();
    },
  );
}

/** @throws AppError 404 if nothing is sold */
function paid(ctx: BillingCtx): PaidCtx {
  if (!ctx.payments) throw nothingSold();
  return { ...ctx, payments: ctx.payments };
}
