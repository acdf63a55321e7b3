import type { FastifyInstance } from "fastify";
import { getUser } from "#features/identity/contract.ts";
import { findSession, setSessionRealm, startTrip, type Person } from "#features/identity/index.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { IntuitGrant } from "#integrations/intuit/sign-in.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import type { ChangeFeed } from "#platform/events/change-feed.ts";
import { openEventStream } from "#platform/http/event-stream.ts";
import type { Mount } from "#platform/http/mount.ts";
import {
  currentCompany,
  currentPerson,
  currentSession,
  type Caller,
} from "#features/companies/authorize-call.ts";
import { connectCompany, type ConnectCtx } from "#features/companies/connect-company.ts";
import * as contract from "#features/companies/contract.ts";
import { disconnectCompany } from "#features/companies/disconnect-company.ts";
import { listCompanies } from "#features/companies/list-companies.ts";
import { streamChanges } from "#features/companies/stream-changes.ts";
import { readRefusal, sealRefusal } from "#features/companies/read-refusal.ts";
import { readUser } from "#features/companies/read-user.ts";

type Options = {
  ctx: ConnectCtx & { changes: ChangeFeed };
  mount: Mount<Caller>;
  cookies: { session: SafeCookie; trip: SafeCookie };
};

export function companiesRoutes(app: FastifyInstance, { ctx, mount, cookies }: Options): void {
  mount(getUser, async (_input, call) => readUser(ctx, currentPerson(call)));

  mount(contract.listCompanies, async (_input, call) => listCompanies(ctx, currentPerson(call)));

  mount(contract.switchCompany, async (_input, call) => {
    await setSessionRealm(ctx.db, currentSession(call).idHash, currentCompany(call).realmId);
    return {};
  });

  mount(contract.readRefusal, ({ query }, call) =>
    Promise.resolve(readRefusal(ctx, currentPerson(call), query.told)),
  );

  mount(contract.disconnectCompany, async (_input, call) => {
    const { at, waitingUploads } = await disconnectCompany(ctx, currentCompany(call));
    return { disconnected_at: at.toISOString(), waiting_uploads: waitingUploads };
  });

  mount(contract.followChanges, async (_input, { request, reply }) => {
    streamChanges(ctx, openEventStream(reply), cookies.session.read(request));
    return reply;
  });

  app.get("/get-app/connect", async (request, reply) => {
    const session = await findSession(ctx, cookies.session.read(request));
    if (!session) return reply.redirect("/login/?next=%2Fget-app%2F");
    const browserSecret = ctx.ids.secret();
    try {
      const trip = {
        purpose: "connect",
        browserSecret,
        personId: session.person.id,
        nextPath: null,
      } as const;
      const url = await startTrip(ctx, trip);
      cookies.trip.write(reply, browserSecret);
      return reply.redirect(url);
    } catch (error) {
      if (!(error instanceof IntuitError)) throw error;
      return reply.redirect("/get-app/?error=other");
    }
  });
}

/** Ends the trip of a person who connected a company. @returns the path to go to */
export async function finishConnect(
  ctx: ConnectCtx,
  outcome: { person: Person; grant: IntuitGrant },
): Promise<string> {
  const result = await connectCompany(ctx, outcome);
  if (result.kind === "connected")
    return `/settings/?${new URLSearchParams({ connected: result.company.realmId })}`;
  const query = new URLSearchParams({ error: result.reason });
  if (result.reason === "already_connected" && result.company)
    query.set("told", sealRefusal(ctx, outcome.person, result.company));
  return `/get-app/?${query}`;
}
