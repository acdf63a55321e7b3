import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyReply {
    /** Nonce of this reply for Emotion's style elements. */
    styleNonce: string;
  }
}

export type SecurityOptions = {
  https: boolean;
  /** Origins of the payment provider's script, card form and calls; none if nothing is sold. */
  paymentOrigins?: readonly string[];
  /** Whether scripts may make workers from texts, as LogRocket's does. A worker has its page's policy. */
  hasBlobWorkers?: boolean;
};

/** Sets the security headers on every reply. A hook instead of a plugin, which measured 110 MB. */
export function setSecurityHeaders(app: FastifyInstance, options: SecurityOptions): void {
  app.decorateReply("styleNonce", "");
  app.addHook("onRequest", (_request, reply, done) => {
    writeSecurityHeaders(reply, options);
    done();
  });
}

/** Sets the security headers on a reply that no hook reaches. */
export function writeSecurityHeaders(reply: FastifyReply, options: SecurityOptions): void {
  reply.styleNonce = makeNonce();
  void reply.headers(listSecurityHeaders(options, reply.styleNonce));
}

const makeNonce = () => randomBytes(16).toString("base64");

/** The security headers of an answer. */
export function listSecurityHeaders(
  { https, paymentOrigins = [], hasBlobWorkers = false }: SecurityOptions,
  nonce = makeNonce(),
): Record<string, string> {
  return {
    "Content-Security-Policy": contentPolicy({ nonce, paymentOrigins, hasBlobWorkers }),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
    ...(https ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

type PolicyOptions = Required<Omit<SecurityOptions, "https">> & { nonce: string };

/** Style attributes must be allowed for Material UI; scripts are allowed only as our own files. */
function contentPolicy({ nonce, paymentOrigins, hasBlobWorkers }: PolicyOptions): string {
  const theirs = paymentOrigins.map((origin) => ` ${origin}`).join("");
  return [
    "default-src 'none'",
    `script-src 'self'${theirs}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    ...(hasBlobWorkers ? ["worker-src 'self' blob:"] : []),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${theirs}`,
    // The browser's own viewer, which prints documents, and the card form.
    `frame-src blob:${theirs}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}
