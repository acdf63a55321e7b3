import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Makes a host-bound cookie, out of reach of scripts and of other sites. Over https it carries the `__Host-` prefix, so
 * that no other host can plant it; plain http on localhost cannot carry that prefix.
 * @param options.lifeMs life in the browser
 */
export function safeCookie(options: { name: string; https: boolean; lifeMs: number }) {
  const name = options.https ? `__Host-${options.name}` : options.name;
  const attributes = { path: "/", httpOnly: true, sameSite: "lax", secure: options.https } as const;
  return {
    read: (request: FastifyRequest): string | undefined => request.cookies[name] || undefined,
    write: (reply: FastifyReply, value: string) =>
      void reply.setCookie(name, value, { ...attributes, maxAge: options.lifeMs / 1000 }),
    clear: (reply: FastifyReply) => void reply.clearCookie(name, attributes),
  };
}

export type SafeCookie = ReturnType<typeof safeCookie>;
