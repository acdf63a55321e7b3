import { StripeFailure } from "#integrations/stripe/errors.ts";
import { spellDate } from "#formats/table/dates.ts";
import { AppError, badRequest, conflict, forbidden, notFound } from "#platform/errors.ts";

export const nothingSold = () => notFound("Paid services aren't offered here.");
export const unknownPrice = () => notFound("This service isn't offered anymore. Reload the page.");
export const comingSoon = () =>
  conflict("coming_soon", "This service is coming soon and can't be added yet.");
export const unknownSubscription = () => notFound("We can't find this subscription. Reload the page.");
export const otherPayer = (email: string) =>
  forbidden(
    "other_payer",
    `${email} pays for this company's services. Ask them to change it, or take over billing.`,
  );
export const notThePayer = () =>
  forbidden("not_the_payer", "Only the payer of this company can open its billing portal.");
/** @param day YYYY-MM-DD */
export const paidByOther = (day: string) =>
  conflict(
    "paid_by_other",
    `The previous payer has paid through ${spellDate(day)}. Add the service after that.`,
  );
export const trialTaken = () =>
  conflict(
    "trial_taken",
    "This company has already used its free trial of this service. Choose Add to pay for it.",
  );
export const payInPortal = () =>
  conflict("pay_in_portal", "Add a card in the billing portal to keep this subscription.");
export const noAccount = () =>
  notFound("There is nothing to manage yet: this company hasn't paid for a service.");
const accountGone = () =>
  notFound("This company's account at Stripe was deleted. Add a service to pay with a new one.");
export const paymentBusy = () =>
  new AppError({
    status: 503,
    code: "payment_busy",
    detail: "A payment for this company is being prepared right now. Try again in a few seconds.",
    retryAfterSeconds: 5,
  });

const emailRefused = () =>
  badRequest(
    "payer_email_refused",
    "Stripe doesn't accept the email address of your Intuit account, so it can't send you receipts. Change it at Intuit, sign out and in again, then add the service.",
  );

/** Translates a Stripe failure to the error shown to the user. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof StripeFailure)) return error;
  if (error.kind === "unanswered")
    return new AppError({
      status: 503,
      code: "stripe_unavailable",
      detail: "Stripe didn't answer. Try again in a minute; nothing is charged twice.",
      retryAfterSeconds: 30,
      cause: error,
    });
  if (error.kind === "customer_gone") return accountGone();
  if (error.code === "email_invalid") return emailRefused();
  // Our keys or our request are wrong: our fault, whatever the status.
  return error;
}
