import { capitalize, joinList } from "#formats/text/phrases.ts";

/** Titles of actions in the audit trail. */
const TITLES: Readonly<Record<string, string>> = {
  "companies.connect": "Connected the company",
  "companies.disconnect": "Disconnected the company",
  "companies.export": "Exported all data",
  "companies.delete": "Deleted all data of a company",
  "companies.switch": "Switched to the company",
  "companies.change_settings": "Changed settings",
  "companies.add_user": "Added a user",
  "companies.accept_invitation": "Accepted an invitation",
  "companies.decline_invitation": "Declined an invitation",
  "companies.leave": "Left the company",
  "companies.remove_user": "Removed a user",
  "companies.hand_over": "Transferred the admin role",
  "companies.change_service": "Changed a service",
  "companies.make_key": "Created an API key",
  "companies.revoke_key": "Revoked an API key",
  "companies.add_webhook": "Added a webhook",
  "companies.save_webhook": "Saved a webhook",
  "companies.remove_webhook": "Deleted a webhook",
  "companies.replace_webhook_secret": "Replaced the secret of a webhook",
  "companies.test_webhook": "Sent a test to a webhook",
  "companies.replay_webhook": "Resent a message to a webhook",
  "companies.replay_failed_webhooks": "Resent failed messages to a webhook",
  "support.ask": "Gave support access to the company's files",
  "support.end": "Ended support's access to files",
  "support.open_file": "Opened a file for support",
  "support.open_upload": "Opened an upload for support",
  "carrier.connect": "Connected a UPS account",
  "carrier.disconnect": "Disconnected a UPS account",
  "billing.start_payment": "Started a payment",
  "billing.activate": "Activated a subscription",
  "billing.keep": "Resumed a subscription",
  "billing.take_over": "Took over billing",
  "labels.make": "Made labels",
  "labels.print": "Printed labels",
  "labels.print_again": "Reprinted the labels from a file",
  "labels.change_settings": "Changed the label settings",
  "labels.carrier_settings": "Changed the settings of UPS labels",
  "labels.ship": "Made UPS labels",
  "labels.ship_print": "Printed UPS labels",
  "labels.ship_answer": "Confirmed a UPS shipment",
  "labels.void": "Voided UPS labels",
  "labels.voided_at_ups": "UPS labels were voided at UPS",
  "labels.doubled_at_ups": "UPS created duplicate labels",
  "labels.void_given_up": "Voided UPS labels of an abandoned purchase",
  "orders.add": "Added orders",
  "orders.save_folder": "Saved the order folder",
  "orders.remove_folder": "Removed the order folder",
  "orders.cancel": "Canceled an order",
  "orders.cancel_lines": "Canceled lines of an order",
  "labels.contents": "Entered what is in cartons",
  "orders.restore": "Restored an order",
  "orders.address": "Corrected an address",
  "orders.notices": "Downloaded notices for the retailer",
  "orders.reject_notice": "Marked an invoice as rejected by the retailer",
  "orders.notice_settings": "Changed when notices are sent",
  "orders.decide": "Resolved a duplicate order",
  "orders.confirm_shipped": "Confirmed that a canceled order shipped",
  "tracking.check": "Checked packages with UPS",
  "orders.choose_match": "Matched a retailer's name",
  "orders.answer_invoice": "Answered a question about an invoice",
  "orders.link_invoice": "Linked an invoice to an order",
  "orders.change_invoice_settings": "Changed when invoices are posted",
  "labels.copy_profile": "Copied a label profile",
  "labels.change_profile": "Changed a label profile",
  "labels.remove_profile": "Removed a label profile",
  "invoices.upload": "Uploaded a file",
  "invoices.check": "Reviewed a file",
  "check.again": "Changed a review",
  "check.post": "Posted a review",
  "check.add_equal": "Added possible duplicates to a review",
  "check.drop": "Canceled a review",
  "undo.start": "Started an undo",
  "upload.cancel": "Canceled an upload",
  "upload.answer": "Confirmed whether an invoice is in QuickBooks",
  "choices.choose_name": "Matched a name",
  "choices.forget_name": "Forgot a match",
  "choices.choose_columns": "Matched columns",
  "choices.choose_date_order": "Chose which comes first in dates",
  "choices.create_customer": "Created a customer",
};

/** Title of an action, or its readable code if it has no title: "Labels: void label". */
export function actionTitle(action: string): string {
  const title = TITLES[action];
  if (title) return title;
  const [area = "", ...verb] = action.replaceAll("_", " ").split(".");
  return `${area.charAt(0).toUpperCase()}${area.slice(1)}: ${verb.join(" ")}`;
}

type Facts = Record<string, unknown>;
type Values = { before: Facts; after: Facts };

const word = (facts: Facts, name: string): string => {
  const value = facts[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};
/** "1 label", "12 labels" */
const counted = (facts: Facts, name: string, noun: string): string =>
  `${word(facts, name)} ${noun}${word(facts, name) === "1" ? "" : "s"}`;
const listIn = (facts: Facts, name: string): unknown[] => {
  const value = facts[name];
  return Array.isArray(value) ? value : [];
};

/**
 * Sentences about actions and their objects, from the facts of an entry; "" if those say nothing.
 */
const SENTENCES: Readonly<Record<string, (values: Values) => string>> = {
  "companies.add_user": ({ after }) => `Added ${word(after, "email")}`,
  "companies.remove_user": ({ before }) => `Removed ${word(before, "email")}`,
  "companies.hand_over": ({ after }) => `Made ${word(after, "admin")} the admin`,
  "companies.make_key": ({ after }) => `Created the API key ${word(after, "name")}`,
  "companies.revoke_key": ({ before }) => `Revoked the API key ${word(before, "name")}`,
  "companies.add_webhook": ({ after }) => `Added the webhook ${word(after, "url")}`,
  "companies.save_webhook": ({ after }) => `Saved the webhook ${word(after, "url")}`,
  "companies.remove_webhook": ({ before }) => `Deleted the webhook ${word(before, "url")}`,
  "companies.replace_webhook_secret": ({ after }) =>
    `Replaced the secret of the webhook ${word(after, "url")}`,
  "companies.test_webhook": ({ after }) => `Sent a test to the webhook ${word(after, "url")}`,
  "companies.replay_webhook": ({ after }) =>
    `Resent ${word(after, "event")} to the webhook ${word(after, "url")}`,
  "companies.replay_failed_webhooks": ({ after }) =>
    `Resent ${counted(after, "messages", "failed message")} to the webhook ${word(after, "url")}`,
  "billing.take_over": ({ before }) => `Took over billing from ${word(before, "payer")}`,
  "invoices.upload": ({ after }) => `Uploaded ${word(after, "file")}`,
  "invoices.check": ({ after }) => `Reviewed ${word(after, "file")}`,
  "check.again": ({ after }) => changedReview(after),
  "undo.start": ({ after }) =>
    word(after, "action") === "delete" ? "Deleted an upload's invoices" : "Voided an upload's invoices",
  "choices.choose_name": ({ after }) =>
    `Matched "${word(after, "text")}" to ${word(after, "target_name") || "another name"}`,
  "choices.forget_name": ({ before }) => `Forgot the match for "${word(before, "text")}"`,
  "choices.create_customer": ({ after }) => `Created customer ${word(after, "name")}`,
  "choices.choose_columns": ({ after }) =>
    `Matched ${joinList([...listIn(after, "columns").map(describeColumn), ...listIn(after, "values").map(describeValue)])}`,
  "labels.make": ({ after }) => `Made ${counted(after, "labels", "label")} from ${word(after, "file")}`,
  "labels.ship": ({ after }) => `Made UPS labels for PO # ${word(after, "po_number")}`,
  "labels.voided_at_ups": ({ after }) => `UPS labels of PO # ${word(after, "po_number")} were voided at UPS`,
  "labels.doubled_at_ups": ({ after }) =>
    `UPS created duplicate labels for PO # ${word(after, "po_number")}: ${word(after, "others")}`,
  "labels.void_given_up": ({ after }) =>
    `Voided the abandoned UPS labels of PO # ${word(after, "po_number")}`,
  "labels.void": ({ after }) => `Voided the UPS labels of PO # ${word(after, "po_number")}`,
  "orders.add": ({ after }) => `Added orders from ${word(after, "file")}`,
  "labels.contents": ({ after }) => `Entered what is in the cartons of PO # ${word(after, "po_number")}`,
  "orders.cancel_lines": ({ after }) =>
    `Canceled ${word(after, "lines")} of PO # ${word(after, "po_number")}`,
  "orders.cancel": ({ after }) => `Canceled PO # ${word(after, "po_number")}`,
  "orders.restore": ({ after }) => `Restored PO # ${word(after, "po_number")}`,
  "labels.print_again": ({ after }) =>
    `Reprinted ${counted(after, "labels", "label")} from ${word(after, "file")}`,
};

function changedReview(after: Facts): string {
  const [cells, invoices] = [listIn(after, "cells").length, listIn(after, "invoices")];
  const left = invoices.filter((each) => (each as Facts)["is_left_out"] === true).length;
  const back = invoices.length - left;
  const parts = [
    cells > 0 ? `corrected ${cells} ${cells === 1 ? "cell" : "cells"}` : "",
    left > 0 ? `left out ${left} ${left === 1 ? "invoice" : "invoices"}` : "",
    back > 0 ? `put back ${back} ${back === 1 ? "invoice" : "invoices"}` : "",
  ].filter(Boolean);
  return parts.length === 0 ? "Checked a file again" : capitalize(joinList(parts));
}

function describeValue(chosen: unknown): string {
  const { field, value } = chosen as Facts;
  return `files without ${String(field)} to ${value === "" ? "nothing" : `"${String(value)}"`}`;
}

function describeColumn(column: unknown): string {
  const { header, field } = column as Facts;
  return `"${String(header)}" to ${field === "" ? "nothing" : String(field).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** Names of facts without meaning to a reader, or already in the sentence. */
const UNSAID: ReadonlySet<string> = new Set([
  "mode",
  "kind",
  "sheet",
  "target_id",
  "target_name",
  "cells",
  "invoices",
]);

/** Actions whose values before and after are shown below their sentence. */
const SHOWS_VALUES: ReadonlySet<string> = new Set(["companies.hand_over", "billing.take_over"]);

/** Builds the readable entry: the action, and the values that the sentence does not include. */
export function entrySentence(
  action: string,
  values: Values,
): { title: string; said: (name: string) => boolean } {
  const sentence = SENTENCES[action]?.(values) ?? "";
  if (sentence === "") return { title: actionTitle(action), said: (name) => UNSAID.has(name) };
  return { title: sentence, said: (name) => !SHOWS_VALUES.has(action) || UNSAID.has(name) };
}

/** Finds actions whose title contains a text. */
export const actionsTitled = (search: string): string[] =>
  Object.entries(TITLES).flatMap(([action, title]) =>
    title.toLowerCase().includes(search.toLowerCase()) ? [action] : [],
  );

/** Prefix of request ids of commands run by operators. */
export const BY_OPERATOR = "operator ";
export const OPERATOR = "Operator";

/** The user of an entry that a company's key made. */
export const keyText = (name: unknown): string | null =>
  typeof name === "string" ? `API key ${name}` : null;

export const CSV_HEADS = ["Time (UTC)", "User", "What", "Before", "After", "Request ID"];
