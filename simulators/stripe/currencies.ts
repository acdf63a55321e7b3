import { invalid } from "./api-error.ts";
import { integer, required, text, type Form } from "./form.ts";

/** Currencies in which Stripe charges cards, in the order of its own message. */
const CURRENCIES =
  "usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl hrk htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw".split(
    " ",
  );

/**
 * Reads the currency of a form in lowercase; undefined if absent. @throws StripeFault 400 for an unknown one
 */
export function currency(form: Form): string | undefined {
  const value = text(form, "currency")?.toLowerCase();
  if (value && !CURRENCIES.includes(value))
    throw invalid(
      `Invalid currency: ${value}. Stripe currently supports these currencies: ${CURRENCIES.join(", ")}`,
      { param: "currency" },
    );
  return value || undefined;
}

/** @throws StripeFault 400 for a missing or unknown one */
export const requiredCurrency = (form: Form): string => currency(form) ?? required(form, "currency");

const MIN_CENTS = 50;

/** Reads the amount of a payment in cents. @throws StripeFault 400 below 50 cents */
export function paymentAmount(form: Form): number | undefined {
  const amount = integer(form, "amount");
  if (amount !== undefined && amount < 1)
    throw invalid("This value must be greater than or equal to 1.", { param: "amount" });
  if (amount !== undefined && amount < MIN_CENTS)
    throw invalid("Amount must be at least $0.50 usd", { param: "amount", code: "amount_too_small" });
  return amount;
}
