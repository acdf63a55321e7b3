import { lazy } from "react";

/** The form and everything that knows Stripe, loaded when a payment is started. */
export const PaymentForm = lazy(async () => ({
  default: (await import("#features/billing/web/payment-form.tsx")).PaymentForm,
}));
