import type { FastifyRequest } from "fastify";

/**
 * Whether a request claims an API key. A browser never adds this header by itself, unlike cookies, and no script of
 * another site may.
 */
export const hasBearer = ({ headers }: FastifyRequest): boolean =>
  /^bearer\b/i.test(headers.authorization ?? "");
