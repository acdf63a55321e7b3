import { fastifyCookie } from "@fastify/cookie";
import type { IncomingMessage } from "node:http";
import { findDefaultCompany, findKeyCell } from "#features/companies/index.ts";
import { findSessionRealm } from "#features/identity/index.ts";
import type { Cell, Installation } from "#platform/cells.ts";
import { hashSecret } from "#platform/crypto/seal.ts";
import type { SafeCookie } from "#platform/http/cookies.ts";
import type { Directory } from "./directory.ts";

type Options = {
  installation: Installation;
  directory: Directory;
  sessionCookie: SafeCookie;
};

/**
 * Chooses the database whose application answers a request, by the company that it names, else by its key, else by the company
 * of its session. This only finds data: the application checks the caller's rights, and in a wrong database a caller has none.
 * @returns the first database for pages and whatever is about no company, and while the choice fails
 */
export function createChoice({ installation, directory, sessionCookie }: Options) {
  const { home, cells } = installation;
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
    const realmId =
      searchParams.get("realm_id") ?? request.headers["x-realm-id"] ?? (await findRealm(request));
    if (typeof realmId === "string" && realmId !== "")
      return named((await directory.find(realmId)) ?? home.cell);
    return (await findKeyCell(installation, request.headers)) ?? home;
  }

  /** A company that is connected for the first time goes to the last database. */
  async function findForConnect(realmId: string): Promise<Cell> {
    const found = await directory.find(realmId);
    return found === undefined ? (cells.at(-1) ?? home) : named(found);
  }

  async function findRealm({ headers }: IncomingMessage): Promise<string | null> {
    const secret = sessionCookie.read({ cookies: fastifyCookie.parse(headers.cookie ?? "") });
    if (secret === undefined) return null;
    const session = await findSessionRealm(home.db, hashSecret(secret));
    return session ? (session.realmId ?? findDefaultCompany(installation, session.userId)) : null;
  }

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
