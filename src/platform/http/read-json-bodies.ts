import type { FastifyInstance } from "fastify";
import { AppError } from "#platform/errors.ts";
import { isWithinBounds, type JsonBounds } from "#platform/json-bounds.ts";

/**
 * Bounds of any JSON that a call sends. Ours have a depth of eight; five hundred large orders have 50,000 fields. A
 * million nested lists overflow the stack, and 350,000 objects or 75,000 different names take 0.2 seconds to read.
 */
const BODY_BOUNDS: JsonBounds = { depth: 64, values: 200_000, names: 52_000 };

/** Reads JSON bodies as the library does, within bounds. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body: Buffer, done) => {
    const refusal = refuseBounds(body);
    if (refusal) return done(refusal);
    return parse(request, body.toString("utf8"), done);
  });
}

/** @returns null for JSON within the bounds */
export function refuseBounds(body: Buffer): AppError | null {
  if (isWithinBounds(body, BODY_BOUNDS)) return null;
  return new AppError({
    status: 400,
    code: "too_complex",
    detail: "The request is nested too deeply or has too many fields. Send less at a time.",
  });
}
