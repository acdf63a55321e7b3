import type { FastifyReply, FastifyRequest } from "fastify";
import type { Group } from "#contract/endpoint.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";
import { findSession, signOut } from "#features/identity/sessions.ts";
import {
  finishAuthorization,
  type FinishedAuthorization,
  startAuthorization,
  type SignInCtx,
} from "#features/identity/authorization.ts";
import {
  connectFailedPath,
  landingPath,
  safeNextPath,
  signInToConnect,
  startPath,
  type User,
  type SignInFailure,
} from "#features/identity/rules.ts";
import { recordRefusal, signInUser } from "#features/identity/sign-in-user.ts";

type ConnectOutcome = { user: User; grant: IntuitGrant; requestId: string; nextPath: string | null };

export type IdentityRoutes = {
  ctx: SignInCtx;
  publicUrl: string;
  cookies: { session: SafeCookie; authorization: SafeCookie };
  groupMembers: Record<Group, readonly string[]>;
  /** Finds the page that waits for a user, before the one they land on; null for none. */
  findWaitingPage(user: User): Promise<string | null>;
  /** Finds the company a new session begins with, by its realm id. */
  findDefaultCompany(user: User): Promise<string | null>;
  /** Finishes an authorization request that connects a company. @returns the path to redirect to */
  finishConnect(outcome: ConnectOutcome): Promise<string>;
};

const CALLBACK_PATH = "/oauth/intuit/callback";
/** Where "Get Started" leads guests. */
const START_PATH = "/start/";

/** Routes that only redirect, so that no page's address ever contains a code or token. */
export function identityRoutes(serveRoute: ServeRoute, routes: IdentityRoutes): void {
  const { ctx, cookies } = routes;

  serveRoute(
    { method: "GET", path: "/login/", isSignIn: true, isNavigation: true },
    async (request, reply) => {
      const { next, moved } = request.query as { next?: unknown; moved?: unknown };
      const nextPath = safeNextPath(next);
      // Intuit leads back to the public address, where the cookie of another one is unknown. Once: a proxy may change the Host.
      if (request.headers.host !== new URL(routes.publicUrl).host && moved === undefined) {
        const query = new URLSearchParams({ ...(nextPath ? { next: nextPath } : {}), moved: "1" });
        return reply.redirect(`${routes.publicUrl}/login/?${query}`);
      }
      return startAuthorization(ctx, {
        purpose: "sign-in",
        user_id: null,
        next_path: nextPath,
        reply,
        cookie: cookies.authorization,
        failurePath: failurePath(request, "unavailable", nextPath),
      });
    },
  );

  serveRoute({ method: "GET", path: START_PATH, isNavigation: true }, async (request, reply) => {
    const session = await findSession(ctx, cookies.session.read(request));
    if (!session) return reply.redirect(`/login/?${new URLSearchParams({ next: START_PATH })}`);
    const { user } = session;
    const waiting = await routes.findWaitingPage(user);
    return reply.redirect(waiting ?? startPath(user.groups, await routes.findDefaultCompany(user)));
  });

  serveRoute(
    { method: "GET", path: CALLBACK_PATH, isSignIn: true, isNavigation: true },
    async (request, reply) => {
      const callbackUrl = new URL(request.url, routes.publicUrl);
      const outcome = await finishAuthorization(ctx, {
        callbackUrl,
        browserSecret: cookies.authorization.read(request),
      });
      cookies.authorization.clear(reply);
      return reply.redirect(await pathAfterAuthorization(routes, { request, reply, outcome }));
    },
  );

  serveRoute({ method: "GET", path: "/logout/", isNavigation: true }, async (request, reply) => {
    // A link on another site must not sign users out. Typed addresses and our own links are not cross-site.
    if (isFromOtherSite(request, routes.publicUrl)) return reply.redirect("/logout/confirm");
    return endSession(routes, request, reply);
  });

  serveRoute({ method: "POST", path: "/logout/", takesForm: true }, (request, reply) =>
    endSession(routes, request, reply),
  );
}

/** Uses the page's address where a browser sends no Sec-Fetch-Site: old ones, and all of them over plain http. */
function isFromOtherSite({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { referer, host } = headers;
  if (referer === undefined) return false;
  if (!URL.canParse(referer)) return true;
  return ![host, new URL(publicUrl).host].includes(new URL(referer).host);
}

type Arrival = { request: FastifyRequest; reply: FastifyReply; outcome: FinishedAuthorization };

async function pathAfterAuthorization(
  { ctx, cookies, groupMembers, findWaitingPage, findDefaultCompany, finishConnect }: IdentityRoutes,
  { request, reply, outcome }: Arrival,
): Promise<string> {
  const requestId = request.id;
  const nextPath = outcome.next_path;
  const refuse = async (reason: SignInFailure) => {
    await recordRefusal(ctx, { reason, requestId });
    return failurePath(request, reason, nextPath);
  };
  const secret = cookies.session.read(request);
  if (outcome.purpose === "connect") {
    if ("failure" in outcome)
      return connectFailedPath({ error: outcome.failure === "refused" ? "refused" : "other" }, nextPath);
    const session = await findSession(ctx, secret);
    if (session?.user.id !== outcome.user_id) return signInToConnect(nextPath);
    return finishConnect({ user: session.user, grant: outcome.grant, requestId, nextPath });
  }
  if ("failure" in outcome) {
    // A reload, or the way back in the browser, of one who has signed in.
    const session = ["expired", "cookies"].includes(outcome.failure) ? await findSession(ctx, secret) : null;
    return session ? landingPath(session.user.groups) : refuse(outcome.failure);
  }
  const { grant } = outcome;
  const signedIn = await signInUser(ctx, {
    grant,
    oldSession: secret,
    members: groupMembers,
    requestId,
    userAgent: request.headers["user-agent"] ?? "",
    findDefaultCompany,
  });
  if ("failure" in signedIn) return refuse(signedIn.failure);
  cookies.session.write(reply, signedIn.session);
  return nextPath ?? (await findWaitingPage(signedIn.user)) ?? landingPath(signedIn.user.groups);
}

async function endSession({ ctx, cookies }: IdentityRoutes, request: FastifyRequest, reply: FastifyReply) {
  const secret = cookies.session.read(request);
  if (secret) await signOut(ctx, { secret, requestId: request.id });
  cookies.session.clear(reply);
  return reply.redirect("/?signed_out=1");
}

function failurePath(request: FastifyRequest, reason: SignInFailure, nextPath: string | null): string {
  const query = new URLSearchParams({
    reason,
    support_id: request.id,
    ...(nextPath ? { next: nextPath } : {}),
  });
  return `/login/failed?${query.toString()}`;
}
