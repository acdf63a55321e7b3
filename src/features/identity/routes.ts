import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Group } from "#contract/endpoint.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import { findSession } from "#features/identity/find-session.ts";
import { finishTrip, type FinishedTrip } from "#features/identity/finish-trip.ts";
import { landingPath, safeNextPath, type Person, type SignInFailure } from "#features/identity/rules.ts";
import { signInPerson } from "#features/identity/sign-in-person.ts";
import { startTrip, type SignInCtx } from "#features/identity/start-trip.ts";
import { removeSession } from "#features/identity/store.ts";

export type IdentityRoutes = {
  ctx: SignInCtx;
  publicUrl: string;
  cookies: { session: SafeCookie; trip: SafeCookie };
  groupMembers: Record<Group, readonly string[]>;
  /** Ends a trip that was to connect a company; answers with the path to go to. */
  finishConnect(outcome: { person: Person; grant: IntuitGrant }): Promise<string>;
};

/** What the browser sends for the form of the page that asks; its fields say nothing. */
const FORM = "application/x-www-form-urlencoded";

/** Pages that end in a redirect: none of them renders anything, so no code or token ever stands under a page. */
export function identityRoutes(app: FastifyInstance, routes: IdentityRoutes): void {
  const { ctx, cookies } = routes;

  app.get<{ Querystring: { next?: string | string[] } }>("/login/", async (request, reply) => {
    const nextPath = safeNextPath(request.query.next);
    const browserSecret = ctx.ids.secret();
    try {
      const url = await startTrip(ctx, { purpose: "sign-in", browserSecret, personId: null, nextPath });
      cookies.trip.write(reply, browserSecret);
      return reply.redirect(url);
    } catch (error) {
      if (!(error instanceof IntuitError)) throw error;
      return reply.redirect(failurePath(request, "unavailable", nextPath));
    }
  });

  app.get("/oauth/intuit/callback", async (request, reply) => {
    const callbackUrl = new URL(request.url, routes.publicUrl);
    const outcome = await finishTrip(ctx, { callbackUrl, browserSecret: cookies.trip.read(request) });
    cookies.trip.clear(reply);
    return reply.redirect(await pathAfterTrip(routes, { request, reply, outcome }));
  });

  app.get("/logout/", async (request, reply) => {
    // A link on another site must not sign people out; typed addresses and our own links carry no foreign site.
    const site = request.headers["sec-fetch-site"];
    if (site === "cross-site" || site === "same-site") return reply.redirect("/logout/confirm");
    return endSession(routes, request, reply);
  });

  // In a scope of its own, because no other call takes what a form sends.
  app.register((scope, _options, done) => {
    scope.addContentTypeParser(FORM, { parseAs: "string" }, (_request, _body, parsed) => parsed(null));
    scope.post("/logout/", (request, reply) => endSession(routes, request, reply));
    done();
  });
}

type Arrival = { request: FastifyRequest; reply: FastifyReply; outcome: FinishedTrip };

async function pathAfterTrip(routes: IdentityRoutes, { request, reply, outcome }: Arrival): Promise<string> {
  if (outcome.kind === "failed") {
    if (outcome.purpose === "connect" && outcome.reason === "refused") return "/get-app/?error=refused";
    if (outcome.purpose === "connect") return "/get-app/?error=other";
    return failurePath(request, outcome.reason, outcome.nextPath);
  }
  if (outcome.purpose === "connect") {
    const session = await findSession(routes.ctx, routes.cookies.session.read(request));
    if (!session || session.person.id !== outcome.personId) return "/login/?next=%2Fget-app%2F";
    return routes.finishConnect({ person: session.person, grant: outcome.grant });
  }
  const oldSession = routes.cookies.session.read(request);
  const signedIn = await signInPerson(routes.ctx, {
    grant: outcome.grant,
    oldSession,
    members: routes.groupMembers,
  });
  if (signedIn.kind === "unverified") return failurePath(request, "unverified", outcome.nextPath);
  routes.cookies.session.write(reply, signedIn.session);
  return outcome.nextPath ?? landingPath(signedIn.person.groups);
}

async function endSession({ ctx, cookies }: IdentityRoutes, request: FastifyRequest, reply: FastifyReply) {
  const secret = cookies.session.read(request);
  if (secret) await removeSession(ctx.db, hashSecret(secret));
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
