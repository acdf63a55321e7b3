import type { MailFacts, MailText, Names } from "#features/notices/rules.ts";
import { spellDate } from "#formats/table/dates.ts";

export type PaymentMail = Extract<
  MailFacts,
  { kind: "renewal_failed" | "trial_ends" | "service_off" | "payer_changed" }
>;

/** Mails about payments state the consequence of doing nothing. Only the payer has the card in reach. */
export function writePaymentText(
  mail: PaymentMail & { recipient: string },
  { product, publicUrl }: Names,
): MailText {
  const link = { label: "Open Settings", url: `${publicUrl}/settings/` };
  if (mail.kind === "payer_changed") {
    const { company, by } = mail.params;
    return {
      subject: `You no longer pay for ${company} on ${product}`,
      paragraphs: [
        `${by} took over billing for ${company} on ${product}. You won't be charged again.`,
        "What you paid for stays on until the end of the paid period. Your card and invoices stay private to you.",
      ],
      link,
    };
  }
  const { company, service, price, payer } = mail.params;
  const choose = (own: string, change: string) => {
    if (payer === null) return own;
    if (payer === mail.recipient) return `Open the billing portal in Settings and ${change}`;
    return `${payer}, who pays for it, can ${change} in the billing portal, or you can take over billing in Settings and add it again with your own card,`;
  };
  switch (mail.kind) {
    case "renewal_failed":
      return {
        subject: `The payment for ${service} of ${company} failed`,
        paragraphs: [
          `The renewal of ${service} for ${company}${price ? `, ${price},` : ""} couldn't be charged.`,
          `${service} stays on until ${spellDate(mail.params.day)}. ${choose("Choose Fix payment in Settings", "change the card")} before then and nothing stops. After that it's turned off; your data and settings are kept.`,
        ],
        link,
      };
    case "trial_ends":
      return {
        subject: `The free trial of ${service} for ${company} ends on ${spellDate(mail.params.day)}`,
        paragraphs: [
          `The free trial of ${service} for ${company} ends on ${spellDate(mail.params.day)}. If you don't add a card, it ends and nothing is charged.`,
          `${choose("Choose Manage in Settings and add a card", "add a card")} to keep it${price ? `: ${price} from then on` : ""}. It can be canceled anytime.`,
        ],
        link,
      };
    case "service_off":
      return {
        subject: `${service} is off for ${company}`,
        paragraphs: [
          {
            trial: `The free trial of ${service} for ${company} has ended. Nothing was charged.`,
            unpaid: `${service} for ${company} is off because its renewal wasn't paid.`,
            canceled: `${service} for ${company} is off because its subscription was canceled.`,
          }[mail.params.cause],
          `Your data and settings are kept. ${payer === mail.recipient ? "The company's admin can turn" : "Turn"} it on again in Settings${price ? `: ${price}` : ""}.`,
        ],
        link,
      };
  }
}
