import type Stripe from "stripe";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import type { Simulator } from "./simulator.ts";

/**
 * Behavior of a test card: the result of a charge, whether its holder is asked first, and the result of later
 * charges.
 */
export type CardBehavior = {
  brand: "visa" | "mastercard" | "amex" | "discover";
  /** A decline code, or null for success. */
  decline: string | null;
  authentication: "never" | "always" | "unless_set_up";
  /** Can be saved although every charge is declined. */
  attaches: boolean;
};

const OK: CardBehavior = { brand: "visa", decline: null, authentication: "never", attaches: false };

/** Stripe's published test numbers. Any other number with a valid check digit is accepted. */
const CARD_BEHAVIORS: Record<string, Partial<CardBehavior>> = {
  "4242424242424242": {},
  "5555555555554444": { brand: "mastercard" },
  "4000000000000002": { decline: "generic_decline" },
  "4000000000009995": { decline: "insufficient_funds" },
  "4000000000009987": { decline: "lost_card" },
  "4000000000009979": { decline: "stolen_card" },
  "4000000000000069": { decline: "expired_card" },
  "4000000000000127": { decline: "incorrect_cvc" },
  "4000000000000119": { decline: "processing_error" },
  "4000056655665556": {},
  "378282246310005": { brand: "amex" },
  "6011111111111117": { brand: "discover" },
  "4100000000000019": { decline: "fraudulent" },
  "4000000000006975": { decline: "card_velocity_exceeded" },
  "4000000000000341": { decline: "generic_decline", attaches: true },
  "4000002760003184": { authentication: "always" },
  "4000002500003155": { authentication: "unless_set_up" },
  "4000008260003178": { authentication: "always", decline: "insufficient_funds" },
  "4000000000003220": { authentication: "always" },
  "4000008400001629": { authentication: "always", decline: "generic_decline" },
};

/** Test ids that stand for cards with these numbers. */
export const TEST_IDS: Record<string, string> = {
  pm_card_visa: "4242424242424242",
  pm_card_mastercard: "5555555555554444",
  pm_card_visa_debit: "4000056655665556",
  pm_card_amex: "378282246310005",
  pm_card_discover: "6011111111111117",
  pm_card_chargeDeclined: "4000000000000002",
  pm_card_visa_chargeDeclined: "4000000000000002",
  pm_card_chargeDeclinedInsufficientFunds: "4000000000009995",
  pm_card_visa_chargeDeclinedInsufficientFunds: "4000000000009995",
  pm_card_visa_chargeDeclinedLostCard: "4000000000009987",
  pm_card_visa_chargeDeclinedStolenCard: "4000000000009979",
  pm_card_visa_chargeDeclinedFraudulent: "4100000000000019",
  pm_card_visa_chargeDeclinedVelocityLimitExceeded: "4000000000006975",
  pm_card_chargeDeclinedExpiredCard: "4000000000000069",
  pm_card_chargeDeclinedIncorrectCvc: "4000000000000127",
  pm_card_chargeDeclinedProcessingError: "4000000000000119",
  pm_card_chargeDeclinedFraudulent: "4100000000000019",
  pm_card_authenticationRequiredOnSetup: "4000002500003155",
  pm_card_chargeCustomerFail: "4000000000000341",
  pm_card_threeDSecure2Required: "4000000000003220",
  pm_card_threeDSecureRequired: "4000000000003220",
  pm_card_authenticationRequired: "4000002760003184",
  tok_visa: "4242424242424242",
  tok_chargeCustomerFail: "4000000000000341",
};

export const behaviorForNumber = (number: string): CardBehavior => ({ ...OK, ...CARD_BEHAVIORS[number] });

/** Stores only a card's behavior, not its number, which Stripe never returns. */
export const saveBehavior = (sim: Simulator, methodId: string, behavior: CardBehavior): void =>
  writeSetting(sim.db, `card:${methodId}`, behavior);

export const readBehavior = (sim: Simulator, methodId: string): CardBehavior =>
  readSetting<CardBehavior>(sim.db, `card:${methodId}`) ?? OK;

export function passesCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const MESSAGES: Record<string, { code: string; message: string }> = {
  generic_decline: { code: "card_declined", message: "Your card was declined." },
  insufficient_funds: { code: "card_declined", message: "Your card has insufficient funds." },
  lost_card: { code: "card_declined", message: "Your card was declined." },
  stolen_card: { code: "card_declined", message: "Your card was declined." },
  expired_card: { code: "expired_card", message: "Your card has expired." },
  incorrect_cvc: { code: "incorrect_cvc", message: "Your card's security code is incorrect." },
  processing_error: {
    code: "processing_error",
    message: "An error occurred while processing your card. Try again in a little bit.",
  },
};

/** Code and message of a decline. */
export function declineFacts(decline: string): { code: string; message: string; decline_code?: string } {
  const facts = MESSAGES[decline] ?? { code: "card_declined", message: "Your card was declined." };
  return facts.code === "card_declined" ? { ...facts, decline_code: decline } : facts;
}

export const cardDetails = (
  behavior: CardBehavior,
  { number, month, year }: { number: string; month: number; year: number },
): Stripe.PaymentMethod.Card => ({
  brand: behavior.brand,
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
  country: "US",
  display_brand: behavior.brand,
  exp_month: month,
  exp_year: year,
  fingerprint: `fp${number.slice(-8)}`,
  funding: "credit",
  last4: number.slice(-4),
  networks: { available: [behavior.brand], preferred: null },
  three_d_secure_usage: { supported: true },
  wallet: null,
});
