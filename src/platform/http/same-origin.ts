import type { FastifyInstance, FastifyRequest } from "fastify";
import { forbidden } from "#platform/errors.ts";
import { hasBearer } from "#platform/http/has-bearer.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The caller is not a browser and authenticates by a signature or a key; cookies are not read. */
    fromProgram?: true;
    /** The caller may be a program with a key, whose cookies are not read. */
    takesKeys?: true;
  }
}

const READING_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request changes nothing. */
export const isReading = ({ method }: FastifyRequest): boolean => READING_METHODS.has(method);

/**
 * Refuses every state-changing request that was not provably made by one of our own pages: 403 `cross_site`. It does so
 * before the body is read, and after the gate has counted the call.
 * @param options.https whether users reach us by https (behind a proxy or not)
 */
export function requireSameOrigin(app: FastifyInstance, options: { https: boolean }): void {
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { fromProgram, takesKeys } = request.routeOptions.config;
    const isProgram = fromProgram || (takesKeys && hasBearer(request));
    if (request.is404 || isProgram || isReading(request) || isSameOrigin(request, options)) return done();
    done(
      forbidden(
        "cross_site",
        "This request didn't come from the application's own pages. Reload the page and try again.",
      ),
    );
  });
}

/** Whether the browser reports that one of our own pages made this request. */
function isSameOrigin(request: FastifyRequest, { https }: { https: boolean }): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin, host } = request.headers;
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  // A page loaded over plain http may be forged even though it has our name.
  const { protocol, host: theirs } = new URL(origin);
  return theirs === host && protocol === (https ? "https:" : "http:");
}
