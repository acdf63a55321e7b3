import { join } from "node:path";
import { billingRuns, findRenewingPayer, scheduleEnds } from "#features/billing/index.ts";
import { dropFolder, folderRuns, PARTNERS, type FoldersCtx, type OrdersCtx } from "#features/orders/index.ts";
import { carrierRuns, removeLink, stopAlerts } from "#features/carrier/index.ts";
import {
  createTokenSource,
  findGrant,
  markReconnectNeeded,
  connectionRuns,
  type ConnectCtx,
} from "#features/companies/index.ts";
import {
  BOOKS_KINDS,
  countOpenUploads,
  createHolders,
  postRuns,
  undoUploadRuns,
  resumeUploads,
  type InvoicesCtx,
} from "#features/invoices/index.ts";
import { KEPT_DOCUMENTS, labelRuns, type LabelsCtx } from "#features/labels/index.ts";
import {
  findVendorNumber,
  settleRuns,
  shipPolicy,
  shipRun,
  shipRuns,
  type ShippingCtx,
} from "#features/shipping/index.ts";
import { differenceRuns } from "#features/differences/index.ts";
import { listOperators } from "#features/identity/index.ts";
import { createFailureRecorder, telemetryRuns } from "#features/telemetry/index.ts";
import { noticeRuns, notifyBy } from "#features/notices/index.ts";
import {
  guardUndo,
  orderInvoiceRuns,
  recheckInvoices,
  stopPosting,
  type OrderInvoicesCtx,
} from "#features/order-invoices/index.ts";
import { packageRuns } from "#features/packages/index.ts";
import { addEvent, deleteAllEndpoints, revokeAllKeys, webhookRuns } from "#features/programs/index.ts";
import { inboxRuns, linkInvoice, startRuns, takePosted, trackingRuns } from "#features/tracking/index.ts";
import { createBooks } from "#integrations/intuit/client.ts";
import {
  INTUIT_BUDGET,
  intuitFileHosts,
  intuitOrigins,
  invoicePageUrl,
} from "#integrations/intuit/config.ts";
import { createIntuitSignIn } from "#integrations/intuit/sign-in.ts";
import type { TokenSource } from "#integrations/intuit/call-realm.ts";
import { createMailer } from "#integrations/mail/send-mail.ts";
import { createFileCache } from "#integrations/objects/file-cache.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Db } from "#platform/db/connect.ts";
import { openReads } from "#platform/db/replica.ts";
import { watchGeneration } from "#platform/db/generation.ts";
import type { SealingKeys } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import { cancelRuns, NEW_OWNER } from "#platform/runs/store.ts";
import { createMetrics, type Metrics } from "#platform/metrics.ts";
import { createBudget } from "#platform/outbound/budget.ts";
import { systemResolve, type Resolve } from "#platform/outbound/public-address.ts";
import { createMeter } from "#platform/outbound/meter.ts";
import type { BoundRun } from "#platform/runs/define-run.ts";
import { openStorage } from "./storage.ts";
import { bindSweep } from "./sweep.ts";
import { openDifferences } from "./open-differences.ts";
import { openQuotas } from "./open-quotas.ts";
import { openTracking } from "./open-tracking.ts";
import { openBilling, openCarrier, openOutbound, openTelemetry } from "./open-vendors.ts";

type Options = {
  config: Config;
  ctx: Ctx;
  sealingKeys: SealingKeys;
  metrics?: Metrics;
  /** Finds the addresses of hosts that users typed. */
  resolve?: Resolve;
  /** Retailers whose orders come in. */
  partners?: OrdersCtx["partners"];
};

/** Wires, once, everything that does not depend on the process's role. */
export async function createApplication({
  config,
  ctx,
  sealingKeys,
  metrics = createMetrics(),
  resolve = systemResolve,
  partners = PARTNERS,
}: Options) {
  const { log, clock } = ctx;
  const outbound = openOutbound(ctx, metrics);
  const fetch = outbound("intuit", intuitOrigins(config.intuit), intuitFileHosts(config.intuit));
  const reads = createMeter({ ...ctx, vendor: "intuit", monthlyLimit: config.intuit.monthlyReads });
  const holder = ctx.ids.uuid();
  const budget = createBudget({ ...ctx, rules: INTUIT_BUDGET, holder });
  const signIn = createIntuitSignIn(config.intuit, { fetch, clock, log });
  const tokenCtx = { ...openConnections(config, ctx), signIn, sealingKeys };
  const deps = { config: config.intuit, fetch, budget, reads, clock, log };
  const books = createBooks({ ...deps, tokens: createTokenSource(tokenCtx) });
  const billing = openBilling({ config, ctx, outbound });
  const carrier = openCarrier({ config, ctx, sealingKeys, outbound, holder });
  const connect: ConnectCtx = {
    ...tokenCtx,
    books,
    // A company that is not stored yet: its token cannot be renewed.
    booksWithToken: (realmId, token) => createBooks({ ...deps, tokens: keepToken(token) })(realmId),
    onConnected: (tx, realmId) => resumeUploads(tx, { realmId, now: clock.now() }),
    countOpenUploads,
    endSubscriptions: (realmId) => scheduleEnds(billing, realmId),
    stopAlerts: (realmId) => stopAlerts(carrier, realmId),
    findRenewingPayer,
  };
  const { objects, journal } = await openStorage(config, { ...ctx, metrics });
  const findOpenedAt = watchGeneration(ctx);
  // The first answer is this process's start.
  await findOpenedAt();
  const documents = await createFileCache(join(config.dataDir, "documents"), { ...KEPT_DOCUMENTS, clock });
  const quotas = openQuotas(config, ctx);
  const labels: LabelsCtx = { ...ctx, quotas, objects, journal, documents };
  const orders: OrdersCtx = {
    ...labels,
    ...notifyBy(ctx, config.mail !== null),
    partners,
    retailer: config.retailer,
    findVendorNumber,
    recheckInvoices: (realmId, orderIds) => recheckInvoices(orderInvoices, realmId, orderIds),
  };
  const folders: FoldersCtx = { ...orders, sealingKeys, folders: config.orderFolders };
  const webhooks = openWebhooks(config, tokenCtx, resolve);
  const shipping: ShippingCtx = {
    ...labels,
    ...orders,
    ...carrier,
    shipPolicy: shipPolicy(config.shipWaitsMs),
  };
  const invoices: InvoicesCtx = {
    ...ctx,
    quotas,
    books,
    writePolicy: config.writePolicy,
    journal,
    invoicePage: (invoice) => invoicePageUrl(config.intuit, invoice),
    objects,
    holders: createHolders(findOpenedAt, clock),
    findGrant: (realmId) => findGrant(ctx.db, realmId),
    onReconnectNeeded: (tx, refused) => markReconnectNeeded(tokenCtx, tx, refused),
    onPosted: (realmId, invoices) => takePosted(ctx, realmId, invoices),
    guardUndo: (tx, upload) => guardUndo(tx, { ...upload, now: clock.now() }),
  };
  const tracking = openTracking({ config, shipping, invoices, reads, findOpenedAt }, () => orderInvoices);
  const orderInvoices: OrderInvoicesCtx = {
    ...orders,
    ...invoices,
    onBooked: (tx, booked) => linkInvoice(tx, { ...booked, now: clock.now() }),
  };
  const { mail, product, publicUrl } = config;
  const telemetry = openTelemetry({ config, ctx, outbound });
  const systemRuns: BoundRun[] = [
    bindSweep({ config, connect, carrier, folders, invoices, labels, telemetry }),
    ...connectionRuns(connect),
    ...carrierRuns(carrier),
    ...folderRuns(folders),
    ...packageRuns(tracking),
    ...settleRuns(shipping),
    ...orderInvoiceRuns(orderInvoices),
    ...startRuns(tracking),
    ...inboxRuns(tracking),
    ...differenceRuns(openDifferences(billing, tracking)),
    ...billingRuns(billing),
    ...(mail
      ? [
          ...noticeRuns({ ...ctx, mailer: createMailer(mail), product, publicUrl }),
          ...telemetryRuns({ ...tokenCtx, listOperators }),
        ]
      : []),
  ];
  return {
    config,
    ctx,
    connect,
    carrier,
    orders,
    orderInvoices,
    folders,
    webhooks,
    shipping,
    invoices,
    labels,
    billing,
    tracking,
    longReads: openReads(config.replicaUrl, ctx),
    /** Metered reads of QuickBooks, of all companies. */
    reads,
    runs: [...postRuns(invoices), ...undoUploadRuns(invoices)],
    labelRuns: [...labelRuns(labels), ...shipRuns(shipping)],
    trackingRuns: trackingRuns(tracking),
    webhookRuns: webhookRuns(webhooks),
    systemRuns,
    metrics,
    telemetry,
    recordFailure: createFailureRecorder(telemetry),
    /** Name of this process, under which it holds runs and the right to call. */
    holder,
  };
}

export type Application = Awaited<ReturnType<typeof createApplication>>;

/**
 * A connection that Intuit ended is reported to the admin and the contact by mail, and to programs by webhook. What former
 * users started and what they connected ends when a company is taken over.
 */
const openConnections = (config: Config, ctx: Ctx) => ({
  ...ctx,
  ...notifyBy(ctx, config.mail !== null),
  onConnectionLost: (tx: Db, realmId: string) =>
    addEvent(ctx, tx, { realmId, event: "connection.lost", data: { vendor: "intuit" } }),
  onTakenOver: async (tx: Db, realmId: string) => {
    const now = ctx.clock.now();
    const kinds = [...BOOKS_KINDS, shipRun.kind];
    await cancelRuns(tx, { realmId, kinds, all: true }, { by: NEW_OWNER, now });
    await stopPosting(tx, realmId);
    await revokeAllKeys(tx, realmId, now);
    await deleteAllEndpoints(tx, realmId);
    await removeLink(tx, realmId);
    await dropFolder(tx, realmId);
  },
});

/** The programs of a demo may run on this machine. */
const openWebhooks = <T extends object>(config: Config, ctx: T, resolve: Resolve) => ({
  ...ctx,
  publicUrl: config.publicUrl,
  reach: config.simulators ? ("loopback" as const) : ("public" as const),
  resolve,
});

const keepToken = (token: string): TokenSource => {
  const current = () => Promise.resolve(token);
  return { current, renew: current };
};
