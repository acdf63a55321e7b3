import type { Config } from "#platform/config/schema.ts";
import type { BudgetRules } from "#platform/outbound/budget.ts";

/** Where Intuit is and who we are there. */
export type IntuitConfig = Config["intuit"];

/** Address of an invoice's page in QuickBooks; it opens in the invoice's own company. */
export function invoicePageUrl(
  { invoicePage }: Pick<IntuitConfig, "invoicePage">,
  invoice: { realmId: string; id: string },
): string {
  return invoicePage
    .replace("{realm}", encodeURIComponent(invoice.realmId))
    .replace("{id}", encodeURIComponent(invoice.id));
}

/** The newest and, since August 2025, the lowest version the service answers in. */
export const MINOR_VERSION = "75";

/**
 * What one company may be asked, below what Intuit allows an app: 500 requests a minute, 10 a second (or at once, in
 * an older wording) and 40 batches a minute. Above it Intuit answers 429 and the company's work stops for a minute.
 * Batches may come close, since the budget counts each until a minute after its end; requests count from their start, and
 * those under way at once are fewer than what is left.
 */
export const INTUIT_BUDGET: BudgetRules = {
  requestsPerMinute: 480,
  requestsPerSecond: 9,
  inFlight: 8,
  batchesPerMinute: 39,
};

const INTUIT_DISCOVERY_HOSTS = new Set(["developer.api.intuit.com", "developer.intuit.com"]);
const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Every origin the adapter calls; for the allow-list of outbound calls. The browser's pages are not among them. */
export function intuitOrigins(config: IntuitConfig): string[] {
  const configured = [new URL(config.discoveryUrl).origin, new URL(config.apiBaseUrl).origin];
  if (config.simulator) return [...new Set(configured)];
  return [
    ...new Set([
      ...configured,
      "https://oauth.platform.intuit.com",
      "https://developer.api.intuit.com",
      "https://accounts.platform.intuit.com",
      "https://sandbox-accounts.platform.intuit.com",
    ]),
  ];
}

/** @throws Error when secrets would go to a host that is neither Intuit's nor, with the simulator, this machine */
export function assertTrustedHosts(config: IntuitConfig): void {
  const discovery = new URL(config.discoveryUrl);
  const api = new URL(config.apiBaseUrl);
  if (config.simulator) {
    const local = [discovery, api].every((url) => LOOPBACK_HOSTS.has(url.hostname));
    if (!local) throw new Error("The simulated Intuit must be on this machine (localhost).");
    return;
  }
  const secure = [discovery, api].every((url) => url.protocol === "https:");
  if (
    !secure ||
    !INTUIT_DISCOVERY_HOSTS.has(discovery.hostname) ||
    !api.hostname.endsWith(".api.intuit.com")
  ) {
    throw new Error("Intuit must be reached at its own addresses: check the discovery and API addresses.");
  }
}
