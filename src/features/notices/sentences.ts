import type { MailFacts, MailText, Names } from "#features/notices/rules.ts";
import { type PaymentMail, writePaymentText } from "#features/notices/sentences-payments.ts";
import { joinList } from "#formats/text/phrases.ts";
import { spellDate } from "#formats/table/dates.ts";

/** Writes the text of a mail. */
export function writeText(mail: MailFacts & { recipient: string }, names: Names): MailText {
  const { product, publicUrl } = names;
  const reconnect = { label: "Reconnect", url: `${publicUrl}/get-app/` };
  switch (mail.kind) {
    case "invitation":
      return {
        subject: `Invitation to ${mail.params.company} on ${product}`,
        paragraphs: [
          `${mail.params.by} invited you to ${mail.params.company} on ${product}.`,
          `To accept, sign in with your Intuit account for ${mail.recipient}. You can decline without signing in.`,
          "If you don't know the sender, decline or ignore this email: nothing changes until you accept.",
        ],
        link: {
          label: "See the invitation",
          url: `${publicUrl}/invitation/?id=${mail.params.invitation}`,
        },
      };
    case "invitation_unsure":
      return writeUnsure(mail.params, names);
    case "new_admin":
      return {
        subject: `${mail.params.company} has a new admin on ${product}`,
        paragraphs: [
          `${mail.params.by} made ${mail.params.admin} the admin of ${mail.params.company} on ${product}.`,
          "The admin manages users, services, and settings.",
        ],
        link: { label: "Open Settings", url: `${publicUrl}/settings/?section=users` },
      };
    case "reconnect_needed":
      return {
        subject: `Reconnect ${mail.params.company} to QuickBooks`,
        paragraphs: [
          `QuickBooks no longer accepts ${product}'s connection to ${mail.params.company}.`,
          "Uploads wait until an admin of the company in QuickBooks reconnects it. Nothing is lost and nothing is posted twice.",
        ],
        link: reconnect,
      };
    case "ups_reconnect_needed":
      return {
        subject: `Reconnect the UPS account of ${mail.params.company}`,
        paragraphs: [
          `UPS no longer accepts ${product}'s connection to account ${mail.params.account} of ${mail.params.company}.`,
          "Until you reconnect it, packages aren't checked and no labels can be made. Nothing is lost: we'll catch up on UPS's scans afterward.",
          "Reconnect it in Settings, under Tracking Service. It takes about a minute.",
        ],
        link: { label: "Open Settings", url: `${publicUrl}/settings/?section=tracking` },
      };
    case "order_folder_stopped":
      return {
        subject: `We stopped fetching orders for ${mail.params.company}`,
        paragraphs: [
          `${product} has stopped fetching the orders of ${mail.params.company}. ${mail.params.problem}`,
          "Check the order folder in Settings, under Developers, and save it again. Its files stay there, and we'll fetch them then.",
        ],
        link: { label: "Open the order folder", url: `${publicUrl}/settings/developers/?section=folder` },
      };
    case "webhook_off":
      return {
        subject: `A webhook for ${mail.params.company} is off`,
        paragraphs: [
          mail.params.cause === "gone"
            ? `${product} has stopped sending events of ${mail.params.company} to ${mail.params.host}, which answered that it no longer wants them (410).`
            : `${product} has stopped sending events of ${mail.params.company} to ${mail.params.host}, which has accepted none for 5 days.`,
          "Turn the webhook on again in Settings, under Developers. Messages that failed are kept there and can be resent.",
        ],
        link: { label: "Open webhooks", url: `${publicUrl}/settings/developers/?section=webhooks` },
      };
    case "records_differ":
      return {
        subject: `Some records of ${mail.params.company} don't match`,
        paragraphs: [
          `${product} compared its records of ${mail.params.company} with UPS, Stripe, and QuickBooks, and some don't match. Nothing was changed.`,
          ...mail.params.differences,
        ],
        link: { label: "Open differences", url: `${publicUrl}/settings/data/?section=differences` },
      };
    case "packages_need_attention":
    case "packages_digest":
      return writePackageText(mail, names);
    case "new_errors":
      return writeNewErrors(mail.params, names);
    case "export_ready":
      return {
        subject: `The export of ${mail.params.company} is ready`,
        paragraphs: [
          `All data of ${mail.params.company} on ${product} is ready to download in Settings, under Data & security.`,
          `The export is kept for ${mail.params.days} ${mail.params.days === 1 ? "day" : "days"}.`,
        ],
        link: { label: "Open exports", url: `${publicUrl}/settings/data/?section=export` },
      };
    case "connection_expires":
      return {
        subject: `Reconnect ${mail.params.company} to QuickBooks by ${spellDate(mail.params.day)}`,
        paragraphs: [
          `Intuit requires you to reconnect every few years. ${product}'s connection to ${mail.params.company} ends on ${spellDate(mail.params.day)}.`,
          "Reconnect before then and nothing stops. It takes about a minute.",
        ],
        link: reconnect,
      };
    default:
      return isOrderMail(mail) ? writeOrderText(mail, publicUrl) : writePaymentText(mail, names);
  }
}

type OrderMail = Extract<
  MailFacts,
  { kind: "order_file_refused" | "order_notice_rejected" | "retailer_message" | "ups_labels_changed" }
>;

const ORDER_MAILS: ReadonlySet<MailFacts["kind"]> = new Set<OrderMail["kind"]>([
  "order_file_refused",
  "order_notice_rejected",
  "retailer_message",
  "ups_labels_changed",
]);
const isOrderMail = (mail: OrderMail | PaymentMail): mail is OrderMail => ORDER_MAILS.has(mail.kind);

type RefusedFile = Extract<OrderMail, { kind: "order_file_refused" }>["params"];
const writeRefusedFile = ({ company, file, problems, others }: RefusedFile, publicUrl: string): MailText => ({
  subject: `Orders of ${company} couldn't be taken`,
  paragraphs: [
    `The file ${file} in the order folder of ${company} has orders or other documents that we couldn't take.`,
    ...problems,
    `${others > 0 ? `And ${others} more like these. ` : ""}Ask the sender to correct and resend it. The 997 of an X12 file, in the outgoing folder, says what was rejected.`,
  ],
  link: { label: "Open the order folder", url: `${publicUrl}/settings/developers/?section=folder` },
});

/** Mails about documents of the retailer, and about the labels of its orders. */
function writeOrderText(mail: OrderMail, publicUrl: string): MailText {
  switch (mail.kind) {
    case "order_file_refused":
      return writeRefusedFile(mail.params, publicUrl);
    case "order_notice_rejected":
      return writeRejection(mail.params, publicUrl);
    case "ups_labels_changed":
      return writeLabelChange(mail.params, publicUrl);
    default: {
      const { company, retailer, po, sentences } = mail.params;
      const isNamed = po !== "";
      return {
        subject: isNamed ? `${retailer} wrote about PO # ${po}` : `${retailer} wrote to ${company}`,
        paragraphs: [
          isNamed
            ? `${retailer} sent ${company} a message about PO # ${po}.`
            : `${retailer} sent ${company} a message that doesn't name an order or invoice.`,
          ...sentences,
        ],
        link: linkToOrder(po, publicUrl),
      };
    }
  }
}

type Unsure = Extract<MailFacts, { kind: "invitation_unsure" }>["params"];

function writeUnsure({ company, email, cause }: Unsure, { product, publicUrl }: Names): MailText {
  const isRefused = cause === "refused";
  return {
    subject: `The invitation to ${company} ${isRefused ? "didn't reach" : "may not have reached"} ${email}`,
    paragraphs: [
      isRefused
        ? `The mail server rejected your invitation for ${email} to join ${company}. Check the address.`
        : `The mail server didn't confirm your invitation for ${email} to join ${company}, so it may not have arrived. We don't resend it, because it could then arrive twice.`,
      `The invitation is still open. Ask the user to sign in to ${product} with an Intuit account for ${email}: they'll see it there.`,
    ],
    link: { label: "Open Settings", url: `${publicUrl}/settings/?section=users` },
  };
}

type NewErrors = Extract<MailFacts, { kind: "new_errors" }>["params"];

function writeNewErrors({ causes, others }: NewErrors, { product, publicUrl }: Names): MailText {
  const total = causes.length + others;
  const times = (count: number) => (count === 1 ? "once" : `${count} times`);
  return {
    subject: `${total} new ${total === 1 ? "error" : "errors"} in ${product}`,
    paragraphs: [
      `${total === 1 ? "This error is" : "These errors are"} new since the last email about errors.`,
      ...causes.map(({ title, place, count }) => `${title} (${place}, ${times(count)})`),
      ...(others === 0
        ? []
        : [
            `${others} ${others === 1 ? "is" : "are"} listed only in Admin: too many to name here, or sent by visitors who weren't signed in.`,
          ]),
    ],
    link: { label: "Open Errors", url: `${publicUrl}/controller/errors` },
  };
}

type Rejection = Extract<MailFacts, { kind: "order_notice_rejected" }>["params"];

function writeRejection({ company, retailer, notice, po, problem }: Rejection, publicUrl: string): MailText {
  const { name, unknown } = REJECTED[notice];
  return {
    subject: `${retailer} rejected the ${name} for PO # ${po}`,
    paragraphs: [`${retailer} rejected the ${name} for PO # ${po} of ${company}: ${problem}`, unknown],
    link: linkToOrder(po, publicUrl),
  };
}

/** The page of orders shows at each document how the retailer answered it. */
const linkToOrder = (po: string, publicUrl: string): MailText["link"] => ({
  label: "Open Orders",
  url: `${publicUrl}/orders/${po === "" ? "" : `?${new URLSearchParams({ q: po })}`}`,
});

/** Words about a rejected notice, and what to do. */
const REJECTED: Readonly<Record<Rejection["notice"], { name: string; unknown: string }>> = {
  ship: {
    name: "ship notice",
    unknown:
      "The retailer doesn't know that this order has shipped. Enter it in the retailer's portal, or contact the retailer.",
  },
  cancel: {
    name: "cancellation",
    unknown:
      "The retailer doesn't know that this order is canceled. Enter it in the retailer's portal, or contact the retailer.",
  },
  invoice: {
    name: "invoice",
    unknown:
      "The retailer won't pay this invoice. Correct what it rejected and send the invoice again under the same number, or enter it in the retailer's portal.",
  },
};

type LabelChange = Extract<MailFacts, { kind: "ups_labels_changed" }>["params"];

/** Says what happened to UPS labels without a user's doing here. */
function writeLabelChange(
  { company, retailer, po, numbers, change }: LabelChange,
  publicUrl: string,
): MailText {
  const list = joinList(numbers);
  const link = { label: "Open Labels", url: `${publicUrl}/label/?history=1&q=${encodeURIComponent(po)}` };
  const isOne = numbers.length === 1;
  switch (change) {
    case "given_up":
      return {
        subject: `Abandoned UPS labels of PO # ${po} were voided`,
        paragraphs: [
          `You made the labels of PO # ${po} of ${company} again, because UPS hadn't answered. UPS had made the first ones after all: ${list}. No order uses them, so we voided them.`,
          "You don't need to do anything. If they were printed on ups.com, don't use them.",
        ],
        link,
      };
    case "doubled":
      return {
        subject: `UPS has more than one shipment for PO # ${po}`,
        paragraphs: [
          `For PO # ${po} of ${company}, UPS made more labels than we asked for: ${list}. They aren't in your history, and UPS will charge you for them.`,
          "Void them at ups.com if you don't need them.",
        ],
        link,
      };
    case "voided":
    case "voided_after_notice":
    case "partly_voided":
      return {
        subject: `UPS labels of PO # ${po} were voided at UPS`,
        paragraphs: [
          `UPS says that ${isOne ? "label" : "labels"} ${list} of PO # ${po} of ${company} ${isOne ? "is" : "are"} voided, but ${isOne ? "it wasn't" : "they weren't"} voided here. Don't use ${isOne ? "it" : "them"}.`,
          ...(change === "partly_voided"
            ? ["Its other labels are still valid."]
            : ["The order is open again, so you can make new labels."]),
          ...(change === "voided_after_notice"
            ? [
                `${retailer} already has the ship notice with ${isOne ? "this number" : "these numbers"}. Let the retailer know that ${isOne ? "it's" : "they're"} void and that you'll send new ones.`,
              ]
            : []),
        ],
        link,
      };
  }
}

type PackageMail = Extract<MailFacts, { kind: "packages_need_attention" | "packages_digest" }>;

function writePackageText(mail: PackageMail, { publicUrl }: Names): MailText {
  const link = { label: "Open Tracking", url: `${publicUrl}/tracking/` };
  if (mail.kind === "packages_need_attention") {
    const { company, packages, others } = mail.params;
    const [pkg] = packages;
    const count = packages.length + others;
    const isOne = pkg !== undefined && count === 1;
    return {
      subject: isOne
        ? `A package of ${company} needs attention: ${nameInvoice(pkg)}`
        : `${count} packages of ${company} need attention`,
      paragraphs: [
        isOne ? "UPS reports a problem with a package:" : "UPS reports problems with these packages:",
        ...packages.map(
          (each) =>
            `${[each.customer, nameInvoice(each), each.invoice === "" ? "" : each.number].filter(Boolean).join(", ")}. ${quote(each.text)}`,
        ),
        ...(others > 0
          ? [`${others} more ${others === 1 ? "package is" : "packages are"} listed in Tracking.`]
          : []),
        "Tracking shows every scan. To change a delivery, contact UPS with the tracking number.",
      ],
      link,
    };
  }
  const { company, delivered, attached, attention } = mail.params;
  const count = (number: number, first: string, more: string) =>
    number === 0 ? [] : [`${number} ${number === 1 ? first : more}`];
  const totals = [
    ...count(delivered, "delivered", "delivered"),
    ...count(attached, "proof filed", "proofs filed"),
    ...count(attention, "needs attention", "need attention"),
  ];
  return {
    subject: `Packages of ${company}: ${totals.join(", ")}`,
    paragraphs: [
      "Since the last summary:",
      ...count(delivered, "package was delivered.", "packages were delivered."),
      ...count(
        attached,
        "proof of delivery was attached to its invoice.",
        "proofs of delivery were attached to their invoices.",
      ),
      ...count(attention, "package needs attention.", "packages need attention."),
    ],
    link,
  };
}

/** The invoice of a package, or its tracking number where the invoice has none. */
const nameInvoice = ({ invoice, number }: { invoice: string; number: string }): string =>
  invoice === "" ? number : `invoice ${invoice}`;

/** UPS's words as a sentence. */
function quote(text: string): string {
  const said = text.trim();
  if (said === "") return "UPS gave no reason.";
  return `UPS says: ${/[.!?]$/.test(said) ? said : `${said}.`}`;
}
