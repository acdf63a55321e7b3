import type { Config } from "#platform/config/read-config.ts";
import type { BudgetRules } from "#platform/outbound/budget.ts";

/** Intuit's addresses and our credentials. */
export type IntuitConfig = Config["intuit"];

/** Address of an invoice's page in QuickBooks; it opens in the invoice's company. */
export function invoicePageUrl(
  { invoicePage }: Pick<IntuitConfig, "invoicePage">,
  invoice: { realmId: string; id: string },
): string {
  return invoicePage
    .replace("{realm}", encodeURIComponent(invoice.realmId))
    .replace("{id}", encodeURIComponent(invoice.id));
}

/** The newest minor version and, since August 2025, the oldest one supported. */
export const MINOR_VERSION = "75";

/**
 * Call budget of one company, below Intuit's limits for an app: 500 requests a minute, 10 a second (or
 * concurrent, in an older wording) and 40 batches a minute. Above them Intuit answers 429 and the company's
 * work stops for a minute. Batches can approach the limit, because the budget counts each one until a minute
 * after its end; requests count from their start, and those in flight are fewer than the margin.
 */
export const INTUIT_BUDGET: BudgetRules = {
  requestsPerMinute: 480,
  requestsPerSecond: 9,
  inFlight: 8,
  batchesPerMinute: 39,
};

/** Sign-in hosts of the real service, besides the host of its discovery document. */
const SIGN_IN_ORIGINS = [
  "https://oauth.platform.intuit.com",
  "https://accounts.platform.intuit.com",
  "https://sandbox-accounts.platform.intuit.com",
];

/**
 * Hosts of the addresses under which Intuit gives out stored files, reached by https only.
 * @see recorded answers of Attachable: intuit-qbo-prod-30.s3.amazonaws.com, intuit-qbo-preprod-17.s3.amazonaws.com
 */
export const intuitFileHosts = ({ simulator }: Pick<IntuitConfig, "simulator">): RegExp[] =>
  simulator ? [] : [/^intuit-qbo-[a-z]+(-\d+)?\.s3(\.[a-z0-9-]+)?\.amazonaws\.com$/, /\.intuit\.com$/];

/** Every address the adapter calls, for the allow list of outbound calls. Excludes the browser's pages. */
export const intuitOrigins = ({ discoveryUrl, apiBaseUrl, simulator }: IntuitConfig): string[] => [
  discoveryUrl,
  apiBaseUrl,
  ...(simulator ? [] : SIGN_IN_ORIGINS),
];
