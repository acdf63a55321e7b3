import type { FastifyRequest } from "fastify";
import { forbidden } from "#platform/errors.ts";

/**
 * Refuses a GET that changes something and that a page makes by showing something, such as a picture or a style: content
 * put into a page could do what only its user may. Browsers that do not say what a call is for are let through.
 * @param others besides a navigation, such as `empty` for a call of a script
 * @throws AppError 403
 */
export function refuseSubresource({ headers }: FastifyRequest, ...others: readonly string[]): void {
  const purpose = headers["sec-fetch-dest"];
  if (purpose === undefined || purpose === "document" || others.includes(String(purpose))) return;
  throw forbidden(
    "not_a_navigation",
    "This address changes something, so it works only when you open it directly.",
  );
}
