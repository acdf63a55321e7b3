import { UpsError } from "#integrations/ups/errors.ts";
import { AppError, badRequest, conflict, forbidden, notFound } from "#platform/errors.ts";

export const notOffered = () => notFound("UPS accounts can't be connected here.");

export const wrongAccount = () =>
  badRequest("invalid_ups_account", "A UPS account number has 6 letters and digits, such as 1A2B3C.");

export const foreignState = () =>
  forbidden(
    "ups_request_unknown",
    "This connection wasn't started here, or took longer than 10 minutes. Connect again in Settings.",
  );

export const accountNotTheirs = (account: string) =>
  conflict(
    "ups_account_not_theirs",
    `The UPS ID you signed in with can't use account ${account}. Sign in at UPS with one that can, or correct the account number.`,
  );

export const otherAccount = (account: string) =>
  conflict("ups_account_changed", `Account ${account} is connected. Reload the page.`);

/** The answer to the user for a failure of UPS's. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof UpsError)) return error;
  const [fault] = error.faults;
  if ((error.kind === "refused" || error.kind === "auth") && fault)
    return new AppError({
      status: 409,
      code: "ups_refused",
      detail: `UPS rejected the connection: ${fault.message} (${fault.code}). Connect again in Settings.`,
      cause: error,
    });
  return new AppError({
    status: 503,
    code: "ups_unavailable",
    detail: "UPS isn't responding, so nothing was connected. Try again in Settings in a few minutes.",
    retryAfterSeconds: 60,
    cause: error,
  });
}
