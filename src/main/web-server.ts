import type { FastifyRequest } from "fastify";
import type { Access } from "#contract/endpoint.ts";
import { adminRoutes } from "#features/admin/index.ts";
import { billingRoutes, watchPrices } from "#features/billing/index.ts";
import { namesRoutes } from "#features/books/index.ts";
import { ordersRoutes } from "#features/orders/index.ts";
import { orderInvoicesRoutes } from "#features/order-invoices/index.ts";
import { carrierRoutes, findAppFault } from "#features/carrier/index.ts";
import {
  findDefaultCompany,
  findInvitationPage,
  identifyCaller,
  currentUser,
  companiesRoutes,
  finishConnect,
  readVisitor,
  withAudit,
  type Caller,
} from "#features/companies/index.ts";
import {
  identityRoutes,
  peekSession,
  sessionOfLimits,
  withdrawGroups,
  SESSION_LIFE_MS,
  AUTHORIZATION_LIFE_MS,
} from "#features/identity/index.ts";
import { invoicesRoutes, templateRoutes } from "#features/invoices/index.ts";
import { labelsRoutes, labelTemplateRoute } from "#features/labels/index.ts";
import {
  apiKeyRoutes,
  claimedKey,
  createAuthorize,
  createKeeper,
  webhookRoutes,
} from "#features/programs/index.ts";
import { shippingRoutes } from "#features/shipping/index.ts";
import { telemetryRoutes } from "#features/telemetry/index.ts";
import { healthRoutes } from "#features/health/index.ts";
import { legalRoutes } from "#features/legal/index.ts";
import { differenceRoutes } from "#features/differences/index.ts";
import { trackingRoutes, watchChanges } from "#features/tracking/index.ts";
import { browserOrigins } from "#integrations/stripe/client.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import { countAnswers } from "#platform/http/count-answers.ts";
import { safeCookie, type SafeCookie } from "#platform/http/cookies.ts";
import { refuseUndeclaredRoutes } from "#platform/http/declared-routes.ts";
import { createEventStreams, type OpenEventStream } from "#platform/http/event-stream.ts";
import { createGate, requireGates } from "#platform/http/gate.ts";
import { HTTP_LIMITS, type HttpLimits } from "#platform/http/limits.ts";
import { logRefusals } from "#platform/http/log-refusals.ts";
import { createMount, type Mount } from "#platform/http/mount.ts";
import { servePages } from "#platform/http/pages.ts";
import { createServeRoute, type ServeRoute } from "#platform/http/serve-route.ts";
import { createHttpServer } from "#platform/http/server.ts";
import { referenceRoutes } from "./api-reference/serve-reference.ts";
import { ENDPOINTS, requireHandlers } from "./endpoints.ts";
import { bootFacts, findVisitor, PAGE_PATHS, PUBLIC_ROUTES } from "./pages.ts";
import { resetRoute } from "./reset-demo.ts";
import type { Application } from "./application.ts";

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
  const { config, ctx, connect, billing } = application;
  const limits = given ?? { ...HTTP_LIMITS, callsPerMinute: config.callsPerMinute };
  const gate = createGate(ctx.clock, limits);
  await withdrawGroups(ctx, config.groupMembers);
  const https = config.publicUrl.startsWith("https:");
  const paymentOrigins = config.stripe ? browserOrigins(config.stripe) : [];
  const app = await createHttpServer({
    ...ctx,
    https,
    proxies: config.proxies,
    paymentOrigins,
    hasBlobWorkers: config.logRocket !== null,
    limits,
    onFailure: application.recordFailure,
  });
  countAnswers(app, application.metrics.request);
  refuseUndeclaredRoutes(app, {
    endpoints: ENDPOINTS,
    publicRoutes: [...PUBLIC_ROUTES, ...PAGE_PATHS.map((path) => `GET ${path}`)],
  });
  requireGates(app);
  const serveRoute = createServeRoute(app, gate);
  const cookies = {
    session: safeCookie({ name: "dockside_session", https, lifeMs: SESSION_LIFE_MS }),
    authorization: safeCookie({ name: "dockside_authorization", https, lifeMs: AUTHORIZATION_LIFE_MS }),
  };
  const readSession = (request: FastifyRequest, access?: Access) => {
    const key = access && claimedKey(request, access);
    if (key !== undefined) return key;
    const secret = cookies.session.read(request);
    return secret === undefined ? null : sessionOfLimits(secret);
  };
  logRefusals(app, { clock: ctx.clock, gate, readSession });
  const mount = createMount<Caller>(app, {
    authorize: createAuthorize(connect, cookies.session),
    readSession,
    gate,
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
  mountFeatures(application, {
    limits,
    cookies,
    openEventStream: createEventStreams(limits.eventStreamsPerSession, ctx.clock),
    mount,
    serveRoute,
    changes,
  });
  const findPrice = watchPrices(billing);
  await servePages(app, {
    clock: ctx.clock,
    folder: pagesFolder,
    paths: PAGE_PATHS,
    boot: () => bootFacts(config, { price: findPrice(), dsn: application.telemetry.dsn.text }),
    visitor: async (request) =>
      findVisitor(config, await readVisitor(connect, cookies.session.read(request))),
  });
  requireHandlers(app);
  return app;
}

type Mounting = Required<Pick<WebOptions, "changes" | "limits">> & {
  mount: Mount<Caller>;
  serveRoute: ServeRoute;
  openEventStream: OpenEventStream;
  cookies: { session: SafeCookie; authorization: SafeCookie };
};

/** Mounts the endpoints of every feature. */
function mountFeatures(
  application: Application,
  { limits, cookies, openEventStream, mount, serveRoute, changes }: Mounting,
): void {
  const { config, ctx, connect, carrier, folders, shipping, invoices, labels, billing, tracking } =
    application;
  companiesRoutes({
    ctx: {
      ...connect,
      objects: invoices.objects,
      quotas: invoices.quotas,
      changes,
      limits,
    },
    openEventStream,
    mount,
    serveRoute,
    cookies,
  });
  apiKeyRoutes(mount, ctx);
  webhookRoutes(mount, application.webhooks);
  carrierRoutes(mount, carrier);
  invoicesRoutes(mount, invoices);
  namesRoutes(mount, invoices);
  labelsRoutes(mount, { ...labels, changes });
  ordersRoutes(mount, folders);
  orderInvoicesRoutes(mount, application.orderInvoices);
  shippingRoutes(mount, { ...shipping, changes });
  trackingRoutes({ ctx: tracking, mount, serveRoute });
  watchChanges({ ...tracking, changes });
  billingRoutes({ ctx: billing, mount, serveRoute });
  differenceRoutes(mount, ctx);
  legalRoutes(mount, ctx);
  resetRoute(mount, application);
  adminRoutes(mount, {
    ctx: connect,
    audited: (call, realmId) => withAudit(ctx, call, realmId),
    longReads: application.longReads,
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
      standbys: config.standbys,
      longReads: application.longReads,
      findUpsFault: findAppFault,
    },
    metricsToken: config.metricsToken,
    isBehindProxy: config.proxies > 0 || config.publicUrl.startsWith("https:"),
  });
  telemetryRoutes({
    ctx: application.telemetry,
    mount,
    serveRoute,
    findUser: async (request) => {
      const session = await peekSession(ctx, cookies.session.read(request));
      if (!session) return null;
      const { email, firstName, lastName } = session.user;
      return { username: email, email, name: `${firstName} ${lastName}`.trim() };
    },
  });
  referenceRoutes(serveRoute, config);
  labelTemplateRoute(serveRoute);
  templateRoutes(serveRoute, { ctx: invoices, withSamples: config.simulators !== null });
}
