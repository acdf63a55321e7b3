import type { InvoicesCtx } from "#features/invoices/index.ts";
import { noteChanged, type OrderInvoicesCtx } from "#features/order-invoices/index.ts";
import type { ShippingCtx } from "#features/shipping/index.ts";
import { ALERT_PATH, type TrackingCtx } from "#features/tracking/index.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Meter } from "#platform/outbound/meter.ts";

type Parts = {
  config: Config;
  shipping: ShippingCtx;
  invoices: InvoicesCtx;
  reads: Meter;
  findOpenedAt: TrackingCtx["findOpenedAt"];
};

/** Opens the dependencies of following packages. @param findOrders is called once all is open */
export function openTracking(
  { config, shipping, invoices, reads, findOpenedAt }: Parts,
  findOrders: () => OrderInvoicesCtx,
): TrackingCtx {
  const { books, writePolicy, invoicePage, findGrant, onReconnectNeeded } = invoices;
  return {
    ...shipping,
    books,
    writePolicy,
    invoicePage,
    findGrant,
    onReconnectNeeded,
    reads,
    findOpenedAt,
    onChanged: (realmId, changed) => noteChanged(findOrders(), realmId, changed),
    verifierToken: config.intuit.verifierToken,
    alertUrl: findAlertUrl(config),
    alertClient: config.alertClient,
  };
}

/** Address for UPS's events. UPS sends them by https only; a simulated one on this machine also without. */
function findAlertUrl({ publicUrl, ups }: Config): string | null {
  const isReached = publicUrl.startsWith("https:") || ups?.baseUrl.startsWith("http:");
  return isReached ? `${publicUrl}${ALERT_PATH}` : null;
}
