import type { Notifying } from "#features/notices/index.ts";
import type { Payments } from "#integrations/stripe/client.ts";
import type { BillingTurns } from "#features/billing/take-turns.ts";
import type { Ctx } from "#platform/ctx.ts";

/** The context of billing. */
export type BillingCtx = Ctx &
  Notifying & {
    /** Null where nothing is sold. */
    payments: Payments | null;
    turns: BillingTurns;
    /** Address of Settings, where the billing portal leads back to. */
    settingsUrl: string;
    /**
     * Days of a free trial, days a service stays on though its renewal was not paid, and the services that can be
     * added; others are shown as coming soon.
     */
    terms: { trialDays: number; graceDays: number; forSale: readonly string[] };
  };

export type PaidCtx = BillingCtx & { payments: Payments };
