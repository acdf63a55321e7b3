import { IntuitError } from "#integrations/intuit/errors.ts";
import { endOf } from "#integrations/intuit/fault-meaning.ts";
import { AppError, conflict } from "#platform/errors.ts";

/**
 * What a caller is shown when a company's lists could not be read: AppError 409 when the company must be reconnected or
 * QuickBooks refuses it, 503 when it does not answer, else the error itself.
 * @param hint a sentence on what works meanwhile
 */
export function unreadableLists(error: unknown, hint = ""): unknown {
  if (!(error instanceof IntuitError)) return error;
  const sentence = (text: string) => `${text} ${hint}`.trimEnd();
  const end = endOf(error);
  if (end?.kind === "reconnect")
    return conflict(
      "reconnect_needed",
      sentence("This company must be connected to QuickBooks again before its lists can be read."),
    );
  if (end)
    return conflict("books_refused", sentence("QuickBooks does not let us read this company's lists."));
  return new AppError({
    status: 503,
    code: "books_unreadable",
    detail: sentence("QuickBooks could not be read just now. Try again in a minute."),
    retryAfterSeconds: 60,
    cause: error,
  });
}
