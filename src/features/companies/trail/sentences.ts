/** Titles of actions in the audit trail. */
const TITLES: Readonly<Record<string, string>> = {
  "companies.connect": "Connected the company",
  "companies.disconnect": "Disconnected the company",
  "companies.switch": "Switched to the company",
  "companies.change_settings": "Changed settings",
  "companies.add_user": "Added a user",
  "companies.accept_invitation": "Accepted an invitation",
  "companies.decline_invitation": "Declined an invitation",
  "companies.leave": "Left the company",
  "companies.remove_user": "Removed a user",
  "companies.hand_over": "Handed the company over",
  "companies.change_service": "Changed a service",
  "billing.start_payment": "Started a payment",
  "billing.activate": "Activated a subscription",
  "billing.keep": "Took back the end of a subscription",
  "billing.take_over": "Took billing over",
  "labels.make": "Made labels",
  "labels.print": "Printed labels",
  "labels.print_again": "Printed the labels of a file again",
  "labels.change_settings": "Changed the label settings",
  "labels.copy_profile": "Copied a label profile",
  "labels.change_profile": "Changed a label profile",
  "labels.remove_profile": "Removed a label profile",
  "invoices.upload": "Uploaded a file",
  "invoices.check": "Checked a file",
  "check.again": "Corrected a check",
  "check.post": "Posted a check",
  "check.add_equal": "Added equal invoices to a check",
  "check.drop": "Dropped a check",
  "undo.start": "Started an undo",
  "choices.choose_name": "Chose what a name means",
  "choices.forget_name": "Forgot what a name means",
  "choices.choose_columns": "Chose what columns mean",
  "choices.choose_date_order": "Chose how dates are written",
  "choices.create_customer": "Created a customer",
};

/** Title of an action, or its readable code if it has no title: "Labels: void label". */
export function actionTitle(action: string): string {
  const title = TITLES[action];
  if (title) return title;
  const [area = "", ...verb] = action.replaceAll("_", " ").split(".");
  return `${area.charAt(0).toUpperCase()}${area.slice(1)}: ${verb.join(" ")}`;
}

/** Actions whose title contains a text. */
export const actionsTitled = (search: string): string[] =>
  Object.entries(TITLES).flatMap(([action, title]) =>
    title.toLowerCase().includes(search.toLowerCase()) ? [action] : [],
  );

/** Prefix of request ids of commands run by operators. */
export const BY_OPERATOR = "operator ";
export const OPERATOR = "Operator";

export const CSV_HEADS = ["Time (UTC)", "User", "What", "Before", "After", "Request ID"];
