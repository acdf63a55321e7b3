import type { Endpoint } from "#contract/endpoint.ts";
import * as admin from "#features/admin/contract.ts";
import * as adminLists from "#features/admin/lists/contract.ts";
import * as billing from "#features/billing/contract.ts";
import * as carrier from "#features/carrier/contract.ts";
import * as companies from "#features/companies/contract.ts";
import * as apiKeys from "#features/programs/api-keys/contract.ts";
import * as dataExport from "#features/companies/data-export/contract.ts";
import * as storage from "#features/companies/storage/contract.ts";
import * as differences from "#features/differences/contract.ts";
import * as support from "#features/companies/support/contract.ts";
import * as webhooks from "#features/programs/webhooks/contract.ts";
import * as trail from "#features/companies/trail/contract.ts";
import * as identity from "#features/identity/contract.ts";
import * as names from "#features/books/names/contract.ts";
import * as workbook from "#features/invoices/workbook/contract.ts";
import * as check from "#features/invoices/check/contract.ts";
import * as invoices from "#features/invoices/contract.ts";
import * as receipt from "#features/invoices/receipt/contract.ts";
import * as post from "#features/invoices/post/contract.ts";
import * as undo from "#features/invoices/undo/contract.ts";
import * as shipping from "#features/shipping/contract.ts";
import * as labels from "#features/labels/contract.ts";
import * as folders from "#features/orders/folders/contract.ts";
import * as partnerApi from "#features/orders/api/contract.ts";
import * as notices from "#features/orders/notices-out/contract.ts";
import * as orderInvoices from "#features/order-invoices/contract.ts";
import * as orders from "#features/orders/contract.ts";
import * as tracking from "#features/tracking/contract.ts";
import * as health from "#features/health/contract.ts";
import * as telemetry from "#features/telemetry/contract.ts";
import * as legal from "#features/legal/contract.ts";

const CONTRACTS: readonly object[] = [
  admin,
  adminLists,
  billing,
  carrier,
  companies,
  apiKeys,
  dataExport,
  storage,
  differences,
  support,
  webhooks,
  trail,
  identity,
  names,
  workbook,
  check,
  invoices,
  receipt,
  post,
  undo,
  shipping,
  labels,
  folders,
  partnerApi,
  notices,
  orderInvoices,
  orders,
  tracking,
  health,
  telemetry,
  legal,
];

/** Every endpoint of the product, in the order of the OpenAPI document: what contracts export besides their schemas. */
export const ENDPOINTS: readonly Endpoint[] = CONTRACTS.flatMap((contract): unknown[] =>
  Object.values(contract),
).filter(isEndpoint);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "method" in value && "path" in value;
}

/** @throws Error if an endpoint has no handler */
export function requireHandlers(app: { hasRoute(route: { method: string; url: string }): boolean }): void {
  const missing = ENDPOINTS.filter(({ method, path }) => !app.hasRoute({ method, url: path }));
  if (missing.length > 0)
    throw new Error(`No handler for ${missing.map(({ method, path }) => `${method} ${path}`).join(", ")}.`);
}
