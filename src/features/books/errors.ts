import { IntuitError, findEarlyEnd, type StopCause } from "#integrations/intuit/errors.ts";
import { AppError, conflict } from "#platform/errors.ts";

/**
 * Converts a failure to read a company's books: AppError 409 if the company must be reconnected or
 * QuickBooks refuses, 503 if it does not answer, else the error itself.
 * @param about.hint a sentence on what still works
 */
export function unreadableBooks(
  error: unknown,
  {
    what,
    hint = "",
    refusal = () => `QuickBooks doesn't let us read this company's ${what}.`,
  }: { what: "lists" | "invoices"; hint?: string; refusal?: (cause: StopCause) => string },
): unknown {
  if (!(error instanceof IntuitError)) return error;
  const end = findEarlyEnd(error);
  if (end?.kind === "reconnect") {
    const text = `Reconnect this company to QuickBooks first, so that its ${what} can be read.`;
    return conflict("reconnect_needed", `${text} ${hint}`.trimEnd());
  }
  if (end) return conflict("books_refused", `${refusal(end.cause)} ${hint}`.trimEnd());
  return new AppError({
    status: 503,
    code: "books_unreadable",
    detail: `QuickBooks couldn't be read just now. Try again in a minute. ${hint}`.trimEnd(),
    retryAfterSeconds: 60,
    cause: error,
  });
}

/** Whether an error is one that `unreadableBooks` made: the work can wait for the books. */
export const isReadingFailure = (error: unknown): boolean =>
  error instanceof AppError && ["reconnect_needed", "books_refused", "books_unreadable"].includes(error.code);
