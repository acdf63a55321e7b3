import { escapeHtml } from "#platform/escape-html.ts";

/** Facts of a mail. `company` is its name, `by` the e-mail of the acting user; days are YYYY-MM-DD. */
export type MailFacts =
  | { kind: "invitation"; params: { company: string; by: string; invitation: string } }
  | { kind: "invitation_unsure"; params: { company: string; email: string; cause: "in_doubt" | "refused" } }
  | { kind: "new_admin"; params: { company: string; by: string; admin: string } }
  | { kind: "reconnect_needed"; params: { company: string } }
  | { kind: "ups_reconnect_needed"; params: { company: string; account: string } }
  | { kind: "order_folder_stopped"; params: { company: string; problem: string } }
  /** `others`: problems that aren't named. */
  | {
      kind: "order_file_refused";
      params: { company: string; file: string; problems: readonly string[]; others: number };
    }
  | { kind: "webhook_off"; params: { company: string; host: string; cause: "gone" | "failing" } }
  | {
      kind: "order_notice_rejected";
      params: {
        company: string;
        retailer: string;
        notice: "ship" | "cancel" | "invoice";
        po: string;
        problem: string;
      };
    }
  | {
      kind: "retailer_message";
      params: { company: string; retailer: string; po: string; sentences: readonly string[] };
    }
  | {
      kind: "ups_labels_changed";
      params: {
        company: string;
        retailer: string;
        po: string;
        numbers: readonly string[];
        change: "voided" | "voided_after_notice" | "partly_voided" | "given_up" | "doubled";
      };
    }
  /** New differences of the daily comparison, each with its cure. */
  | { kind: "records_differ"; params: { company: string; differences: readonly string[] } }
  /** `others`: packages that aren't named. */
  | {
      kind: "packages_need_attention";
      params: { company: string; packages: readonly MailedPackage[]; others: number };
    }
  | {
      kind: "packages_digest";
      params: { company: string; delivered: number; attached: number; attention: number };
    }
  | { kind: "connection_expires"; params: { company: string; day: string } }
  | { kind: "renewal_failed"; params: Paid & { day: string } }
  | { kind: "trial_ends"; params: Paid & { day: string } }
  | { kind: "service_off"; params: Paid & { cause: "unpaid" | "trial" | "canceled" } }
  | { kind: "export_ready"; params: { company: string; days: number } }
  | { kind: "payer_changed"; params: { company: string; by: string } }
  /** For operators. `others`: new errors that aren't named. */
  | { kind: "new_errors"; params: { causes: readonly MailedCause[]; others: number } };

/** An error of pages or the server: its kind and message, and the path, route or run. */
type MailedCause = { title: string; place: string; count: number };

/** A package that needs attention; `text` is the carrier's own. */
type MailedPackage = { number: string; text: string; invoice: string; customer: string };

/**
 * A paid service, with its price if known, such as `$29.00 a month`. `payer`: the payer's e-mail if that isn't
 * the admin.
 */
type Paid = { company: string; service: string; price: string | null; payer: string | null };

/** The product's name and its public address, for texts of mails. */
export type Names = { product: string; publicUrl: string };

/** A mail as paragraphs and one link. */
export type MailText = {
  subject: string;
  paragraphs: readonly string[];
  link: { label: string; url: string };
};

/** Renders the plain and the HTML version of a mail; both escape all text. */
export function renderMail({ subject, paragraphs, link }: MailText, footer: string) {
  const [first = "", ...rest] = paragraphs;
  const text = [first, ...rest, `${link.label}: ${link.url}`, `-- \n${footer}`].join("\n\n");
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="margin:24px;font:16px/24px Arial,sans-serif;color:#212121;max-width:560px">${[
    ...paragraphs.map((each) => paragraph(escapeHtml(each))),
    paragraph(
      `<a href="${escapeHtml(link.url)}" style="color:#13653f;font-weight:bold">${escapeHtml(link.label)}</a>`,
    ),
  ].join("")}<p style="margin:0;color:#565452;font-size:13px">${escapeHtml(footer)}</p></body></html>`;
  return { subject: subject.replaceAll(/\s+/g, " "), text, html };
}
