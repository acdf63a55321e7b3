import type { MailFacts, MailText } from "#features/notices/rules.ts";

type Names = { product: string; publicUrl: string };

const dayText = new Intl.DateTimeFormat("en-US", { dateStyle: "long" });

/** What a mail says. */
export function textOf(mail: MailFacts & { recipient: string }, { product, publicUrl }: Names): MailText {
  const settings = { label: "Open Settings", url: `${publicUrl}/settings/` };
  const reconnect = { label: "Reconnect", url: `${publicUrl}/get-app/` };
  switch (mail.kind) {
    case "invitation":
      return {
        subject: `You were added to ${mail.params.company} in ${product}`,
        paragraphs: [
          `${mail.params.by} added you to ${mail.params.company} in ${product}.`,
          `Sign in with your Intuit account for ${mail.recipient}. The company is there as soon as you do.`,
          "If you don't know the sender, you can ignore this email.",
        ],
        link: { label: `Sign in to ${product}`, url: `${publicUrl}/login/` },
      };
    case "new_admin":
      return {
        subject: `${mail.params.company} has a new admin in ${product}`,
        paragraphs: [
          `${mail.params.by} made ${mail.params.admin} the admin of ${mail.params.company} in ${product}.`,
          "The admin manages users, services, and settings.",
        ],
        link: settings,
      };
    case "reconnect_needed":
      return {
        subject: `Reconnect ${mail.params.company} to QuickBooks`,
        paragraphs: [
          `QuickBooks no longer accepts the connection of ${product} to ${mail.params.company}.`,
          "Uploads wait until you reconnect. Nothing is lost and nothing is posted twice.",
        ],
        link: reconnect,
      };
    case "connection_expires":
      return {
        subject: `Reconnect ${mail.params.company} to QuickBooks by ${day(mail.params.day)}`,
        paragraphs: [
          `Intuit ends every connection after some years. The one of ${product} to ${mail.params.company} ends on ${day(mail.params.day)}.`,
          "Reconnect before then and nothing stops. It takes about a minute.",
        ],
        link: reconnect,
      };
  }
}

export const footerOf = ({ product, publicUrl }: Names): string => `Sent by ${product}, ${publicUrl}`;

/** @param iso YYYY-MM-DD */
function day(iso: string): string {
  const [year = 0, month = 1, date = 1] = iso.split("-").map(Number);
  return dayText.format(new Date(year, month - 1, date));
}
