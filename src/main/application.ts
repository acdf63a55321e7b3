import { join } from "node:path";
import type { FastifyRequest } from "fastify";
import type { Access } from "#contract/endpoint.ts";
import { adminRoutes } from "#features/admin/index.ts";
import { billingRoutes, billingRuns, findPayer, planEnds, watchPrices } from "#features/billing/index.ts";
import { namesRoutes } from "#features/books/index.ts";
import {
  folderRoutes,
  folderRuns,
  ordersRoutes,
  PARTNERS,
  type FoldersCtx,
  type OrdersCtx,
} from "#features/orders/index.ts";
import { carrierRoutes, carrierRuns } from "#features/carrier/index.ts";
import {
  findDefaultCompany,
  findInvitationPage,
  createAuthorize,
  identifyCaller,
  currentUser,
  claimedKey,
  createTokenSource,
  findGrant,
  markReconnectNeeded,
  companiesRoutes,
  finishConnect,
  readVisitor,
  connectionRuns,
  webhookRuns,
  withAudit,
  type Caller,
  type ConnectCtx,
} from "#features/companies/index.ts";
import {
  identityRoutes,
  withdrawGroups,
  SESSION_LIFE_MS,
  AUTHORIZATION_LIFE_MS,
} from "#features/identity/index.ts";
import {
  checkRoutes,
  countOpenUploads,
  createHolders,
  invoiceRuns,
  invoicesRoutes,
  receiptRoutes,
  resumeUploads,
  templateRoutes,
  undoRoutes,
  answerRoutes,
  workbookRoutes,
  type InvoicesCtx,
} from "#features/invoices/index.ts";
import {
  KEPT_DOCUMENTS,
  labelRuns,
  labelsRoutes,
  labelTemplateRoute,
  scanRuns,
  type LabelsCtx,
  shippingRoutes,
  shipPolicy,
  shipRuns,
  type ShippingCtx,
} from "#features/labels/index.ts";
import { createFailureRecorder, telemetryRoutes } from "#features/telemetry/index.ts";
import { healthRoutes } from "#features/health/index.ts";
import { noticeRuns, notifyBy } from "#features/notices/index.ts";
import { legalRoutes } from "#features/legal/index.ts";
import { startRuns, trackingRoutes, trackingRuns, watchChanges } from "#features/tracking/index.ts";
import { createBooks } from "#integrations/intuit/client.ts";
import {
  INTUIT_BUDGET,
  intuitFileHosts,
  intuitOrigins,
  invoicePageUrl,
} from "#integrations/intuit/config.ts";
import { createIntuitSignIn } from "#integrations/intuit/sign-in.ts";
import { createMailer } from "#integrations/mail/send-mail.ts";
import { browserOrigins } from "#integrations/stripe/config.ts";
import { createFileCache } from "#integrations/objects/file-cache.ts";
import { createJournal } from "#integrations/objects/journal.ts";
import type { Config } from "#platform/config/read-config.ts";
import { watchGeneration } from "#platform/db/generation.ts";
import { hashSecret, type SealingKeys } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import { countAnswers } from "#platform/http/count-answers.ts";
import { safeCookie } from "#platform/http/cookies.ts";
import { refuseUndeclaredRoutes } from "#platform/http/declared-routes.ts";
import { createEventStreams } from "#platform/http/event-stream.ts";
import { createKeeper } from "#platform/http/idempotency/keep-answers.ts";
import { HTTP_LIMITS, type HttpLimits } from "#platform/http/limits.ts";
import { logRefusals } from "#platform/http/log-refusals.ts";
import { createMount } from "#platform/http/mount.ts";
import { servePages } from "#platform/http/pages.ts";
import { createRateLimits } from "#platform/http/rate-limits.ts";
import { createServeRoute } from "#platform/http/serve-route.ts";
import { createHttpServer } from "#platform/http/server.ts";
import { createOutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import { createMetrics, type Metrics } from "#platform/metrics.ts";
import { createBudget } from "#platform/outbound/budget.ts";
import { systemResolve, type Resolve } from "#platform/outbound/public-address.ts";
import { createMeter } from "#platform/outbound/meter.ts";
import type { BoundRun } from "#platform/runs/define-run.ts";
import { referenceRoutes } from "./api-reference/serve-reference.ts";
import { ENDPOINTS, requireHandlers } from "./endpoints.ts";
import { bootFacts, findVisitor, PAGE_PATHS, PUBLIC_ROUTES } from "./pages.ts";
import { resetDemo } from "./reset-demo.ts";
import { openObjects, serialsPath } from "./storage.ts";
import { bindSweep } from "./sweep.ts";
import { openTracking } from "./open-tracking.ts";
import { openBilling, openCarrier, openTelemetry, type OpenFetch } from "./open-vendors.ts";

type Options = {
  config: Config;
  ctx: Ctx;
  sealingKeys: SealingKeys;
  metrics?: Metrics;
  /** Finds the addresses of hosts that users typed. */
  resolve?: Resolve;
};

/** Wires, once, everything that does not depend on the process's role. */
export async function createApplication({
  config,
  ctx,
  sealingKeys,
  metrics = createMetrics(),
  resolve = systemResolve,
}: Options) {
  const { log, clock } = ctx;
  const outbound: OpenFetch = (vendor, allowedOrigins, allowedHosts = []) =>
    createOutboundFetch({
      allowedOrigins,
      allowedHosts,
      log,
      clock,
      onCall: (call) => metrics.vendorCall(vendor, call),
    });
  const fetch = outbound("intuit", intuitOrigins(config.intuit), intuitFileHosts(config.intuit));
  const reads = createMeter({ ...ctx, vendor: "intuit", monthlyLimit: config.intuit.monthlyReads });
  const holder = ctx.ids.uuid();
  const budget = createBudget({ ...ctx, rules: INTUIT_BUDGET, holder });
  const signIn = createIntuitSignIn(config.intuit, { fetch, clock, log });
  const tokenCtx = { ...ctx, ...notifyBy(ctx, config.mail !== null), signIn, sealingKeys };
  const deps = { config: config.intuit, fetch, budget, reads, clock, log };
  const books = createBooks({ ...deps, tokens: createTokenSource(tokenCtx) });
  const billing = openBilling({ config, ctx, outbound });
  const carrier = openCarrier({ config, ctx, sealingKeys, outbound });
  const connect: ConnectCtx = {
    ...tokenCtx,
    books,
    // A company that is not stored yet: its token cannot be renewed.
    booksWithToken: (realmId, token) => {
      const current = () => Promise.resolve(token);
      return createBooks({ ...deps, tokens: { current, renew: current } })(realmId);
    },
    onConnected: (tx, realmId) => resumeUploads(tx, { realmId, now: clock.now() }),
    countOpenUploads,
    endSubscriptions: (realmId) => planEnds(billing, realmId),
    findPayer,
  };
  const objects = await openObjects(config, { ...ctx, onCall: (call) => metrics.vendorCall("s3", call) });
  const findOpenedAt = watchGeneration(ctx);
  // The first answer is this process's start.
  await findOpenedAt();
  const serials = await createJournal(serialsPath(config));
  const documents = await createFileCache(join(config.dataDir, "documents"), { ...KEPT_DOCUMENTS, clock });
  const labels: LabelsCtx = { ...ctx, objects, serials, documents };
  const orders: OrdersCtx = {
    ...ctx,
    ...notifyBy(ctx, config.mail !== null),
    objects,
    partners: PARTNERS,
    retailer: config.retailer,
  };
  const { orderFolders: folderConfig } = config;
  const folders: FoldersCtx = {
    ...orders,
    sealingKeys,
    folders: folderConfig,
  };
  const webhooks = {
    ...tokenCtx,
    publicUrl: config.publicUrl,
    // The programs of a demo may run on this machine.
    reach: config.simulators ? ("loopback" as const) : ("public" as const),
    resolve,
  };
  const shipping: ShippingCtx = {
    ...labels,
    ...orders,
    ...carrier,
    shipPolicy: shipPolicy(config.shipWaitsMs),
  };
  const invoices: InvoicesCtx = {
    ...ctx,
    books,
    writePolicy: config.writePolicy,
    invoicePage: (invoice) => invoicePageUrl(config.intuit, invoice),
    objects,
    holders: createHolders(findOpenedAt, clock),
    findGrant: (realmId) => findGrant(ctx.db, realmId),
    onReconnectNeeded: (tx, refused) => markReconnectNeeded(tokenCtx, tx, refused),
  };
  const tracking = openTracking({ config, shipping, invoices, reads, holder, findOpenedAt });
  const { mail, product, publicUrl } = config;
  const telemetry = openTelemetry({ config, ctx, outbound });
  const systemRuns: BoundRun[] = [
    bindSweep({ config, connect, carrier, folders, invoices, labels, telemetry }),
    ...connectionRuns(connect),
    ...carrierRuns(carrier),
    ...folderRuns(folders),
    ...scanRuns(shipping),
    ...startRuns(tracking),
    ...billingRuns(billing),
    ...(mail ? noticeRuns({ ...ctx, mailer: createMailer(mail), product, publicUrl }) : []),
  ];
  const runs = {
    runs: invoiceRuns(invoices),
    labelRuns: [...labelRuns(labels), ...shipRuns(shipping)],
    trackingRuns: trackingRuns(tracking),
    webhookRuns: webhookRuns(webhooks),
    systemRuns,
  };
  return {
    config,
    ctx,
    connect,
    carrier,
    orders,
    folders,
    webhooks,
    shipping,
    invoices,
    labels,
    billing,
    tracking,
    /** Metered reads of QuickBooks, of all companies. */
    reads,
    ...runs,
    metrics,
    telemetry,
    recordFailure: createFailureRecorder(telemetry),
    /** Name of this process, under which it holds runs and the right to call. */
    holder,
  };
}

export type Application = Awaited<ReturnType<typeof createApplication>>;

type WebOptions = {
  /** Folder of the built pages. */
  pagesFolder: string;
  /** Changes of all processes, for browsers that subscribe; closed with the server. */
  changes: ChangeFeed;
  limits?: HttpLimits;
};

/** Creates the HTTP side: pages, sign-in, and every endpoint. */
export async function createWebServer(
  application: Application,
  { pagesFolder, changes, limits: given }: WebOptions,
) {
  const { config, ctx, connect, carrier, orders, folders, shipping, invoices, labels, billing, tracking } =
    application;
  const limits = given ?? { ...HTTP_LIMITS, callsPerMinute: config.callsPerMinute };
  await withdrawGroups(ctx, config.groupMembers);
  const https = config.publicUrl.startsWith("https:");
  const paymentOrigins = config.stripe ? browserOrigins(config.stripe) : [];
  const app = await createHttpServer({
    ...ctx,
    https,
    proxies: config.proxies,
    paymentOrigins,
    limits,
    onFailure: application.recordFailure,
  });
  countAnswers(app, application.metrics.request);
  refuseUndeclaredRoutes(app, {
    endpoints: ENDPOINTS,
    publicRoutes: [...PUBLIC_ROUTES, ...PAGE_PATHS.map((path) => `GET ${path}`)],
  });
  const rateLimits = createRateLimits(ctx.clock, limits);
  const serveRoute = createServeRoute(app, rateLimits);
  const cookies = {
    session: safeCookie({ name: "dockside_session", https, lifeMs: SESSION_LIFE_MS }),
    authorization: safeCookie({ name: "dockside_authorization", https, lifeMs: AUTHORIZATION_LIFE_MS }),
  };
  const readSession = (request: FastifyRequest, access?: Access) => {
    const key = access && claimedKey(request, access);
    if (key !== undefined) return key;
    const secret = cookies.session.read(request);
    return secret === undefined ? null : hashSecret(secret).toString("base64");
  };
  logRefusals(app, { clock: ctx.clock, readSession });
  const mount = createMount<Caller>(app, {
    authorize: createAuthorize(ctx, cookies.session),
    readSession,
    limits: rateLimits,
    answers: { keeper: createKeeper(connect), identify: identifyCaller },
  });
  identityRoutes(serveRoute, {
    ctx: connect,
    publicUrl: config.publicUrl,
    cookies,
    groupMembers: config.groupMembers,
    findDefaultCompany: (user) => findDefaultCompany(ctx.db, user.id),
    findWaitingPage: (user) => findInvitationPage(ctx, user),
    finishConnect: (outcome) => finishConnect(connect, outcome),
  });
  app.addHook("onClose", () => changes.close());
  const openEventStream = createEventStreams(limits.eventStreamsPerSession);
  companiesRoutes({
    ctx: { ...connect, ...application.webhooks, objects: invoices.objects, changes, limits },
    openEventStream,
    mount,
    serveRoute,
    cookies,
  });
  carrierRoutes(mount, carrier);
  invoicesRoutes(mount, invoices);
  checkRoutes(mount, invoices);
  receiptRoutes(mount, invoices);
  undoRoutes(mount, invoices);
  answerRoutes(mount, invoices);
  workbookRoutes(mount, invoices);
  namesRoutes(mount, invoices);
  labelsRoutes(mount, { ...labels, changes });
  ordersRoutes(mount, orders);
  folderRoutes(mount, folders);
  shippingRoutes(mount, { ...shipping, changes });
  trackingRoutes({ ctx: tracking, mount, serveRoute });
  watchChanges({ ...tracking, changes });
  billingRoutes({ ctx: billing, mount, serveRoute });
  legalRoutes(mount, ctx);
  adminRoutes(mount, {
    ctx: connect,
    resetDemo: config.simulators ? () => resetDemo(application) : null,
    audited: (call, realmId) => withAudit(ctx, call, realmId),
    files: { invoices, shipping },
    userId: (call) => currentUser(call).id,
  });
  healthRoutes({
    mount,
    serveRoute,
    audited: (call) => withAudit(ctx, call),
    userName: (call) => currentUser(call).email,
    cancelable: [...application.runs, ...application.labelRuns, ...application.trackingRuns]
      .filter(({ isCancelable }) => isCancelable)
      .map(({ kind }) => kind),
    ctx: {
      ...ctx,
      metrics: application.metrics,
      dataDir: config.dataDir,
      objects: invoices.objects,
      monthlyReads: config.intuit.monthlyReads,
    },
    metricsToken: config.metricsToken,
  });
  telemetryRoutes({ ctx: application.telemetry, mount, serveRoute });
  referenceRoutes(serveRoute, config);
  labelTemplateRoute(serveRoute);
  templateRoutes(serveRoute, { ctx: invoices, withSamples: config.simulators !== null });
  const findPrice = watchPrices(billing);
  await servePages(app, {
    folder: pagesFolder,
    paths: PAGE_PATHS,
    boot: () => bootFacts(config, { price: findPrice(), dsn: application.telemetry.dsn.text }),
    visitor: async (request) => findVisitor(config, await readVisitor(ctx, cookies.session.read(request))),
  });
  requireHandlers(app);
  return app;
}
