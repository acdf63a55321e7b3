import type { FastifyReply, FastifyRequest } from "fastify";
import type { Group } from "#contract/endpoint.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import type { ServeRoute } from "#platform/http/serve-route.ts";
import { findSession } from "#features/identity/find-session.ts";
import { finishAuthorization, type FinishedAuthorization } from "#features/identity/finish-authorization.ts";
import { landingPath, safeNextPath, type User, type SignInFailure } from "#features/identity/rules.ts";
import { recordRefusal } from "#features/identity/record-refusal.ts";
import { signOut } from "#features/identity/close-session.ts";
import { signInUser } from "#features/identity/sign-in-user.ts";
import { startAuthorization, type SignInCtx } from "#features/identity/start-authorization.ts";

export type IdentityRoutes = {
  ctx: SignInCtx;
  publicUrl: string;
  cookies: { session: SafeCookie; authorization: SafeCookie };
  groupMembers: Record<Group, readonly string[]>;
  /** Ends an authorization request that was to connect a company; answers with the path to go to. */
  finishConnect(outcome: { user: User; grant: IntuitGrant; requestId: string }): Promise<string>;
};

/** Pages that end in a redirect: none of them renders anything, so no page's address ever contains a code or token. */
export function identityRoutes(serveRoute: ServeRoute, routes: IdentityRoutes): void {
  const { ctx, cookies } = routes;

  serveRoute({ method: "GET", path: "/login/", isSignIn: true }, async (request, reply) => {
    const nextPath = safeNextPath((request.query as { next?: unknown }).next);
    const browserSecret = ctx.ids.secret();
    try {
      const url = await startAuthorization(ctx, {
        purpose: "sign-in",
        browserSecret,
        userId: null,
        nextPath,
      });
      cookies.authorization.write(reply, browserSecret);
      return reply.redirect(url);
    } catch (error) {
      if (!(error instanceof IntuitError)) throw error;
      return reply.redirect(failurePath(request, "unavailable", nextPath));
    }
  });

  serveRoute({ method: "GET", path: "/oauth/intuit/callback", isSignIn: true }, async (request, reply) => {
    const callbackUrl = new URL(request.url, routes.publicUrl);
    const outcome = await finishAuthorization(ctx, {
      callbackUrl,
      browserSecret: cookies.authorization.read(request),
    });
    cookies.authorization.clear(reply);
    return reply.redirect(await pathAfterAuthorization(routes, { request, reply, outcome }));
  });

  serveRoute({ method: "GET", path: "/logout/" }, async (request, reply) => {
    // A link on another site must not sign people out; typed addresses and our own links carry no foreign site.
    const site = request.headers["sec-fetch-site"];
    if (site === "cross-site" || site === "same-site") return reply.redirect("/logout/confirm");
    return endSession(routes, request, reply);
  });

  serveRoute({ method: "POST", path: "/logout/", takesForm: true }, (request, reply) =>
    endSession(routes, request, reply),
  );
}

type Arrival = { request: FastifyRequest; reply: FastifyReply; outcome: FinishedAuthorization };

async function pathAfterAuthorization(
  routes: IdentityRoutes,
  { request, reply, outcome }: Arrival,
): Promise<string> {
  if (outcome.kind === "failed") {
    if (outcome.purpose === "connect" && outcome.reason === "refused") return "/get-app/?error=refused";
    if (outcome.purpose === "connect") return "/get-app/?error=other";
    await recordRefusal(routes.ctx, { reason: outcome.reason, requestId: request.id });
    return failurePath(request, outcome.reason, outcome.nextPath);
  }
  if (outcome.purpose === "connect") {
    const session = await findSession(routes.ctx, routes.cookies.session.read(request));
    if (!session || session.user.id !== outcome.userId) return "/login/?next=%2Fget-app%2F";
    return routes.finishConnect({ user: session.user, grant: outcome.grant, requestId: request.id });
  }
  const oldSession = routes.cookies.session.read(request);
  const signedIn = await signInUser(routes.ctx, {
    grant: outcome.grant,
    oldSession,
    members: routes.groupMembers,
    requestId: request.id,
  });
  if (signedIn.kind === "unverified") {
    await recordRefusal(routes.ctx, { reason: "unverified", requestId: request.id });
    return failurePath(request, "unverified", outcome.nextPath);
  }
  routes.cookies.session.write(reply, signedIn.session);
  return outcome.nextPath ?? landingPath(signedIn.user.groups);
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
