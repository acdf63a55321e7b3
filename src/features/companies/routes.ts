import * as identity from "#features/identity/contract.ts";
import {
  connectFailedPath,
  findSession,
  landingPath,
  listDevices,
  safeWorkPath,
  signInToConnect,
  signOutDevices,
  startAuthorization,
} from "#features/identity/index.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import type { OpenEventStream } from "#platform/http/event-stream.ts";
import type { Mount } from "#platform/http/mount.ts";
import type { WithQuotas } from "#platform/quotas.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";
import {
  currentCompany,
  currentUser,
  currentSession,
  withAudit,
  type Caller,
} from "#features/companies/authorize-call.ts";
import {
  connectCompany,
  type Arrival,
  type ConnectCtx,
  readRefusal,
  sealRefusal,
} from "#features/companies/connect-company.ts";
import * as contract from "#features/companies/contract.ts";
import { disconnectCompany } from "#features/companies/disconnect-company.ts";
import { invitationRoutes } from "#features/companies/invitations/routes.ts";
import { listCompanies } from "#features/companies/list-companies.ts";
import { createChangeStreams } from "#features/companies/stream-changes.ts";
import { readConnection } from "#features/companies/read-connection.ts";
import { companyAdminRoutes, companyDataRoutes } from "#features/companies/settings/routes.ts";
import { switchCompany } from "#features/companies/switch-company.ts";
import { readUser } from "#features/companies/read-user.ts";

type Options = {
  ctx: ConnectCtx &
    WithQuotas & { objects: ObjectStore; changes: ChangeFeed; limits: { checkStreamsMs: number } };
  openEventStream: OpenEventStream;
  mount: Mount<Caller>;
  serveRoute: ServeRoute;
  cookies: { session: SafeCookie; authorization: SafeCookie };
};

export function companiesRoutes({ ctx, openEventStream, mount, serveRoute, cookies }: Options): void {
  mount(identity.getUser, async (_input, call) => readUser(ctx, currentUser(call)));

  mount(identity.listDevices, async (_input, call) => ({
    devices: await listDevices(ctx, currentSession(call)),
  }));

  mount(identity.signOutDevices, async ({ query }, call) => ({
    signed_out: await signOutDevices(withAudit(ctx, call), currentSession(call), query.id),
  }));

  mount(contract.listCompanies, async (_input, call) => listCompanies(ctx, currentUser(call)));

  mount(contract.switchCompany, (_input, call) =>
    switchCompany(withAudit(ctx, call), currentSession(call), currentCompany(call)),
  );

  mount(contract.readRefusal, ({ query }, call) =>
    Promise.resolve(readRefusal(ctx, currentUser(call), query.refusal)),
  );

  mount(contract.readConnection, async (_input, call) => ({
    connection: await readConnection(ctx, currentCompany(call)),
  }));
  mount(contract.disconnectCompany, async ({ body }, call) => {
    const { at, waitingUploads } = await disconnectCompany(withAudit(ctx, call), currentCompany(call), {
      keptBy: body?.subscriptions === "keep" ? currentUser(call).id : null,
    });
    return { disconnected_at: at.toISOString(), waiting_uploads: waitingUploads };
  });

  companyAdminRoutes(mount, ctx);
  invitationRoutes(mount, ctx);
  companyDataRoutes(mount, ctx);

  const streamChanges = createChangeStreams(ctx);
  mount(contract.followChanges, async (_input, call) => {
    const session = currentSession(call).idHash.toString("base64");
    streamChanges(openEventStream(call.reply, session), cookies.session.read(call.request));
    return call.reply;
  });

  serveRoute({ method: "GET", path: "/get-app/connect", isNavigation: true }, async (request, reply) => {
    const nextPath = safeWorkPath((request.query as { next?: unknown }).next);
    const session = await findSession(ctx, cookies.session.read(request));
    if (!session) return reply.redirect(signInToConnect(nextPath));
    return startAuthorization(ctx, {
      purpose: "connect",
      user_id: session.user.id,
      next_path: nextPath,
      reply,
      cookie: cookies.authorization,
      failurePath: connectFailedPath({ error: "other" }, nextPath),
    });
  });
}

/**
 * Finishes the authorization request of a user who connected a company.
 * @param arrival.nextPath page they came from
 * @returns the path to redirect to: that page, else their landing page
 */
export async function finishConnect(
  ctx: ConnectCtx,
  { nextPath, ...arrival }: Arrival & { nextPath: string | null },
): Promise<string> {
  const result = await connectCompany(ctx, arrival);
  if (result.kind === "connected") {
    const page = new URL(nextPath ?? landingPath(arrival.user.groups), "http://site.invalid");
    page.searchParams.set("connected", result.company.realmId);
    return `${page.pathname}${page.search}`;
  }
  const { reason, company } = result;
  const isOthers = reason === "already_connected" && company;
  const refusal = isOthers ? { refusal: sealRefusal(ctx, arrival.user, company) } : {};
  return connectFailedPath({ error: reason, ...refusal }, nextPath);
}
