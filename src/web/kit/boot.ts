import type { PageUser } from "#features/identity/contract.ts";

/** Data that the server embeds in the page. */
export type Boot = {
  product: string;
  retailer: string;
  demo: boolean;
  /** Whether mail is sent; without a mail server, texts must not promise mail. */
  mail: boolean;
  ediPartnerUrl: string | null;
  addInLink: boolean;
  /** Addresses of the simulators, null with the real services. */
  simulators: { intuit: string } | null;
  /** Source of the payment form, null if nothing is sold. */
  stripe: { scriptUrl: string; publishableKey: string } | null;
  /** False while the Tracking Service is coming soon. */
  sellsTracking: boolean;
  /** Price of tracking, such as `$29.00 a month`, and a sentence with it; null while unknown. */
  trackingPrice: string | null;
  priceNote: string | null;
  release: string;
  /** Project of error reports; null in pages that no server sent. */
  dsn: string | null;
  /** Our own recorder and the share of its failures that is reported; null if it records nothing. */
  recorder: { appId: string; prefix: string; rate: number } | null;
  /** App at LogRocket, where pages are recorded in place of our own recorder; null by default. */
  logRocket: string | null;
};

/** Reads the shell's `boot` element; missing or mistyped fields get their defaults. */
export function readBoot(page: Document): Boot {
  const boot = parse(page.getElementById("boot")?.textContent ?? "");
  const simulators = boot["simulators"] as { intuit?: unknown } | null | undefined;
  return {
    product: text(boot["product"]) ?? "Dockside",
    retailer: text(boot["retailer"]) ?? "Retailer",
    demo: boot["demo"] === true,
    mail: boot["mail"] === true,
    ediPartnerUrl: text(boot["edi_partner_url"]),
    addInLink: boot["add_in_link"] !== false,
    simulators: text(simulators?.intuit) ? { intuit: String(simulators?.intuit) } : null,
    stripe: readStripe(boot["stripe"] as { script_url?: unknown; publishable_key?: unknown } | null),
    sellsTracking: boot["sells_tracking"] === true,
    trackingPrice: text(boot["tracking_price"]),
    priceNote: text(boot["price_note"]),
    release: text(boot["release"]) ?? "development",
    dsn: text(boot["dsn"]),
    recorder: readRecorder(boot["recorder"] as Record<string, unknown> | null | undefined),
    logRocket: text(boot["logrocket"]),
  };
}

function readRecorder(recorder: Record<string, unknown> | null | undefined): Boot["recorder"] {
  const appId = text(recorder?.["app_id"]);
  const [prefix, rate] = [recorder?.["sampled_prefix"], recorder?.["sample_rate"]];
  return appId && typeof prefix === "string" && typeof rate === "number" ? { appId, prefix, rate } : null;
}

function readStripe(stripe: { script_url?: unknown; publishable_key?: unknown } | null | undefined) {
  const scriptUrl = text(stripe?.script_url);
  const publishableKey = text(stripe?.publishable_key);
  return scriptUrl && publishableKey ? { scriptUrl, publishableKey } : null;
}

/** Reads the signed-in user from the page, which saves a call; undefined for guests. */
export function readUser(page: Document): PageUser | undefined {
  const user = parse(page.getElementById("user")?.textContent ?? "");
  return typeof user["username"] === "string" ? (user as PageUser) : undefined;
}

/** The page's own boot data, read once. */
export const boot: Boot = readBoot(document);

function parse(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Address of a company's books in the simulated QuickBooks, or of its list of companies; null with the real
 * one.
 */
export function booksAddress(realmId?: string): string | null {
  if (!boot.simulators) return null;
  const { intuit } = boot.simulators;
  return realmId === undefined ? intuit : `${intuit.replace(/\/$/, "")}/qbo/${encodeURIComponent(realmId)}`;
}
