import type { FastifyRequest } from "fastify";
import { forbidden } from "#platform/errors.ts";

const READING_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** True when the browser says that one of our own pages made this request. */
export function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin, host } = request.headers;
  return origin !== undefined && host !== undefined && hostOf(origin) === host;
}

/**
 * Refuses a state-changing request without proof that one of our own pages made it.
 * @throws AppError 403 `cross_site`
 */
export function requireSameOrigin(request: FastifyRequest): void {
  if (READING_METHODS.has(request.method) || isSameOrigin(request)) return;
  throw forbidden(
    "cross_site",
    "This request did not come from the application's own pages. Reload the page and try again.",
  );
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
