import { badRequest, conflict, notFound } from "#platform/errors.ts";

export const noOrdersInFile = (detail: string) => badRequest("no_orders", detail);

export const unknownReason = () =>
  badRequest("reason_unknown", "This isn't one of the retailer's reasons to cancel. Choose one of the list.");

export const nothingWaits = (poNumber: string) =>
  conflict("nothing_waits", `No other order waits under PO # ${poNumber}. Reload the page.`);

export const orderUnknown = () => notFound("This company has no such order. Reload the page.");

export const severalOrders = (poNumber: string) =>
  conflict(
    "several_orders",
    `PO # ${poNumber} is an order of several stores. Send the id of the one that is meant as order_id.`,
  );

export const noticesUnknown = () => notFound("This company has no such notices. Reload the page.");

const NOT_DOWNLOADED: Readonly<Record<string, string>> = {
  pending: "can't be downloaded yet: it leaves at the day's cut-off, or at the first scan",
  no_contents: "can't be sent until you say what is in each carton",
  held: "can't be downloaded while its labels are being voided",
  invoice_held: "waits for its ship notice, or doesn't agree with it: its problems are listed with it",
  withdrawn: "was withdrawn and never leaves",
  sent: "left before the database was restored, so its file isn't here anymore",
};

export const cannotDownload = (poNumber: string, state: string) =>
  conflict(
    `notice_${state}`,
    `The notice about PO # ${poNumber} ${NOT_DOWNLOADED[state] ?? "can't be written as X12"}.`,
  );

export const cannotSendAgain = (poNumber: string) =>
  conflict(
    "notice_not_rejected",
    `This document about PO # ${poNumber} can't be sent again: only an invoice that the retailer rejected is. Reload the page.`,
  );

export const notOneFile = () =>
  conflict(
    "notices_differ",
    "These notices don't fit in one file. Download X12 and XML notices, and those of each sender id, separately.",
  );

export const retailerNotified = (poNumber: string) =>
  conflict(
    "retailer_notified",
    `The retailer was notified that PO # ${poNumber} is canceled, so it can't be restored.`,
  );

export const onlyWholeOrders = () =>
  conflict(
    "only_whole_orders",
    "This retailer takes cancellations of whole orders only. Ship what is left, or ask the retailer.",
  );
