import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie of ours, out of reach of scripts and of other sites. */
export type SafeCookie = {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
};

/**
 * Makes a host-bound cookie. Over https it carries the `__Host-` prefix, so that no other host can plant it; plain
 * http on localhost cannot carry that prefix.
 * @param options.maxAgeSeconds life in the browser
 */
export function safeCookie(options: { name: string; https: boolean; maxAgeSeconds: number }): SafeCookie {
  const name = options.https ? `__Host-${options.name}` : options.name;
  const attributes = { path: "/", httpOnly: true, sameSite: "lax", secure: options.https } as const;
  return {
    read: (request) => request.cookies[name] || undefined,
    write: (reply, value) =>
      void reply.setCookie(name, value, { ...attributes, maxAge: options.maxAgeSeconds }),
    clear: (reply) => void reply.clearCookie(name, attributes),
  };
}
