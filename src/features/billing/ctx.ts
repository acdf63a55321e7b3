import type { Notifying } from "#features/notices/index.ts";
import type { Payments } from "#integrations/stripe/client.ts";
import type { BillingTurns } from "#features/billing/take-turns.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Context of billing. */
export type BillingCtx = Ctx &
  Notifying & {
    /** Null if nothing is sold. */
    payments: Payments | null;
    turns: BillingTurns;
    /** Address of Settings, the return address of the billing portal. */
    settingsUrl: string;
    /**
     * Days of free trial, days of grace after an unpaid renewal, and the services that can be
     * added; others are shown as coming soon.
     */
    terms: { trialDays: number; graceDays: number; forSale: readonly string[] };
  };

export type PaidCtx = BillingCtx & { payments: Payments };
