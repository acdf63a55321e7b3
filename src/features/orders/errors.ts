import { badRequest, conflict, notFound } from "#platform/errors.ts";

export const noOrdersInFile = (detail: string) => badRequest("no_orders", detail);

export const unknownReason = () =>
  badRequest(
    "reason_unknown",
    "This isn't one of the retailer's reasons to cancel. Choose one from the list.",
  );

export const nothingWaits = (poNumber: string) =>
  conflict("nothing_waits", `No other order is waiting under PO # ${poNumber}. Reload the page.`);

export const changedSince = () =>
  conflict("changed_since", "What this is about changed. Reload the page, and read what it is now.");

export const nothingToConfirm = (poNumber: string) =>
  conflict(
    "nothing_to_confirm",
    `PO # ${poNumber} has no open cancellation by its retailer. Reload the page.`,
  );

export const orderUnknown = () => notFound("We can't find this order. Reload the page.");

export const severalOrders = (poNumber: string) =>
  conflict(
    "several_orders",
    `PO # ${poNumber} is an order of several stores. Send the ID of the one you mean as order_id.`,
  );

export const noticesUnknown = () => notFound("We can't find these notices. Reload the page.");

const NOT_DOWNLOADED: Readonly<Record<string, string>> = {
  pending:
    "can't be downloaded yet: it will be sent at today's cutoff time, or when UPS first scans the package",
  no_contents: "can't be sent until you say what is in each carton",
  held: "can't be downloaded while its labels are being voided",
  invoice_held: "is waiting for its ship notice, or doesn't match it: see the problems listed with it",
  withdrawn: "was withdrawn and won't be sent",
  sent: "was sent before the database was restored, so its file isn't here anymore",
};

export const cannotDownload = (poNumber: string, state: string) =>
  conflict(
    `notice_${state}`,
    `The notice about PO # ${poNumber} ${NOT_DOWNLOADED[state] ?? "can't be written as X12"}.`,
  );

export const cannotSendAgain = (poNumber: string) =>
  conflict(
    "notice_not_rejected",
    `This document about PO # ${poNumber} can't be resent: only an invoice that the retailer rejected can be. Reload the page.`,
  );

export const cannotReject = (poNumber: string) =>
  conflict(
    "nothing_objected",
    `This document about PO # ${poNumber} can't be marked as rejected: only an invoice that was sent, and about which the retailer sent a text, can be. Reload the page.`,
  );

export const notOneFile = () =>
  conflict(
    "notices_differ",
    "These notices can't go in one file. Download X12 and XML notices, and those of each sender ID, separately.",
  );

export const retailerNotified = (poNumber: string) =>
  conflict(
    "retailer_notified",
    `The retailer was notified that PO # ${poNumber} is canceled, so it can't be restored.`,
  );

export const onlyWholeOrders = () =>
  conflict(
    "only_whole_orders",
    "This retailer accepts cancellations of whole orders only. Ship what is left, or ask the retailer.",
  );
