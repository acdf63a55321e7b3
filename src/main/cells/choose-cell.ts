import { fastifyCookie } from "@fastify/cookie";
import type { IncomingMessage } from "node:http";
import { findDefaultCompany, findKeyCell, keyOfLimits } from "#features/companies/index.ts";
import { findSessionRealm, sessionOfLimits } from "#features/identity/index.ts";
import type { Cell, Installation } from "#platform/cells.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import { callerAddress } from "#platform/http/caller-network.ts";
import type { CallerGate } from "#platform/http/gate.ts";
import { createLimiter } from "#platform/http/limiter.ts";
import type { HttpLimits } from "#platform/http/limits.ts";
import type { Directory } from "./directory.ts";

const MINUTE_MS = 60_000;

type Options = {
  installation: Installation;
  directory: Directory;
  sessionCookie: SafeCookie;
  limits: HttpLimits;
  gate: CallerGate;
  /** Number of proxies in front of us. */
  proxies: number;
};

/**
 * Chooses the database whose application answers a request, by the company that it names, else by its key, else by the company
 * of its session. This only finds data: the application checks the caller's rights, and in a wrong database a caller has none.
 * @returns the first database for pages and whatever is about no company, and while the choice fails
 */
export function createChoice({ installation, directory, sessionCookie, limits, gate, proxies }: Options) {
  const { home, cells } = installation;
  const count = createLimiter(home.clock, { max: limits.callsPerMinute, withinMs: MINUTE_MS });
  const named = (name: string) => cells.find(({ cell }) => cell === name) ?? home;

  async function choose(request: IncomingMessage): Promise<Cell> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://site.invalid");
    if (pathname === "/oauth/intuit/callback") {
      const realmId = searchParams.get("realmId");
      return realmId === null ? home : findForConnect(realmId);
    }
    if (!pathname.startsWith("/api/")) return home;
    const chosen = searchParams.get("cell") ?? request.headers["x-cell"];
    if (typeof chosen === "string") return named(chosen);
    const realmId = searchParams.get("realm_id") ?? request.headers["x-realm-id"];
    const isNamed = typeof realmId === "string" && realmId !== "";
    const known = isNamed ? directory.known(realmId) : undefined;
    if (known !== undefined) return named(known);
    // A caller over the limit is refused by every application, and by this one before a query.
    if (isOverLimit(request)) return home;
    if (isNamed) return findListed(realmId);
    return (await findKeyCell(installation, request.headers)) ?? findForSession(request);
  }

  function isOverLimit(request: IncomingMessage): boolean {
    const secret = readSession(request);
    const claim = keyOfLimits(request) ?? (secret === undefined ? null : sessionOfLimits(secret));
    return count(gate.nameCaller({ ip: callerAddress(request, proxies) }, claim)) !== null;
  }

  const findListed = async (realmId: string) => named((await directory.find(realmId)) ?? home.cell);

  /** A company that is connected for the first time goes to the last database. */
  async function findForConnect(realmId: string): Promise<Cell> {
    const found = await directory.find(realmId);
    return found === undefined ? (cells.at(-1) ?? home) : named(found);
  }

  async function findForSession(request: IncomingMessage): Promise<Cell> {
    const secret = readSession(request);
    const session = secret === undefined ? undefined : await findSessionRealm(home.db, hashSecret(secret));
    const realmId = session && (session.realmId ?? (await findDefaultCompany(installation, session.userId)));
    return realmId ? findListed(realmId) : home;
  }

  const readSession = ({ headers }: IncomingMessage) =>
    sessionCookie.read({ cookies: fastifyCookie.parse(headers.cookie ?? "") });

  return async (request: IncomingMessage): Promise<Cell> => {
    try {
      return await choose(request);
    } catch (error) {
      // Its own answer to the same failure is a clear one.
      home.log.warn({ err: error }, "The database of a request was not found");
      return home;
    }
  };
}
