import { badRequest, conflict } from "#platform/errors.ts";

export const noOrdersInFile = (detail: string) => badRequest("no_orders", detail);

export const unknownReason = () =>
  badRequest("reason_unknown", "This isn't one of the retailer's reasons to cancel. Choose one of the list.");

export const nothingWaits = (poNumber: string) =>
  conflict("nothing_waits", `No other order waits under PO # ${poNumber}. Reload the page.`);
