import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Makes a host-bound cookie that scripts and other sites cannot read. Over https it has the `__Host-` prefix,
 * so that no other host can plant it; plain http on localhost does not support the prefix.
 * @param options.lifeMs lifetime in the browser
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
