import { httpStatus } from "#web/kit/api-error.ts";

/** Failures that aren't the product's fault: a blocked payment script, a lost connection. Parts of messages. */
const NOT_OURS = ["Failed to load Stripe.js", "Stripe.js not available", "Network Error"];

/** The server asks to slow down: the load isn't the page's fault. */
const TOO_MANY = 429;
/** Refusals that the page explains to the user; developers see them in the console. */
const REFUSED = { from: 400, to: 421 };

/** Whether an error says something about the product: not empty, and not one of a blocked script or a lost connection. */
export function isWorthReporting(error: unknown): boolean {
  if (httpStatus(error) === TOO_MANY) return false;
  if (error instanceof Error) return !NOT_OURS.some((text) => error.message.includes(text));
  return typeof error === "object" && error !== null && Object.keys(error).length > 0;
}

/**
 * Decides by the specification's rules for error reporting. @param origin of the page: files below its
 * `/assets/` are the product's own code
 */
export function classifyError(error: unknown, origin: string): "report" | "console" | "ignore" {
  if (!isWorthReporting(error)) return "ignore";
  const status = httpStatus(error) ?? 0;
  if (status >= REFUSED.from && status <= REFUSED.to) return "console";
  // Other things than errors have no frames; queries and mutations may fail with them.
  if (!(error instanceof Error)) return "report";
  const files: readonly string[] = error.stack?.match(/[\w-]{1,20}:\/\/[^\s)]+/g) ?? [];
  if (files.some((file) => /^[\w-]+-extension:/.test(file))) return "ignore";
  return files.some((file) => file.startsWith(`${origin}/assets/`)) ? "report" : "ignore";
}
