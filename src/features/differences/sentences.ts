import type { StoredDifference } from "#features/differences/store.ts";

/** A difference, and its one cure. */
type Description = { sentence: string; cure: string };

const NAMES: Readonly<Record<string, string>> = { tracking: "Tracking Service" };
const spellService = (service = "") => NAMES[service] ?? `a service (${service || "unknown"})`;

const SENTENCES: Readonly<Record<string, (params: Readonly<Record<string, string>>) => Description>> = {
  unknown_at_ups: ({ po, numbers }) => ({
    sentence: `UPS has labels for PO # ${po} that aren't in your history: ${numbers}. UPS will charge you for them.`,
    cure: "Void them at ups.com if you don't need them.",
  }),
  unknown_at_stripe: ({ service }) => ({
    sentence: `Stripe has a subscription to ${spellService(service)} that isn't recorded here.`,
    cure: "Open the billing portal in Current Services, and cancel it there if you don't want it.",
  }),
  gone_at_stripe: ({ service }) => ({
    sentence: `Your subscription to ${spellService(service)} isn't at Stripe anymore.`,
    cure: "Add the service again in Current Services if you want to keep it.",
  }),
  status_at_stripe: ({ service, ours, theirs }) => ({
    sentence: `Your subscription to ${spellService(service)} is "${theirs}" at Stripe, and "${ours}" here.`,
    cure: "Check the payment in the billing portal in Current Services. We'll update it here tonight.",
  }),
  file_gone: ({ invoice, file }) => ({
    sentence: `The file ${file} that was attached to invoice ${invoice} isn't in QuickBooks anymore.`,
    cure: "Download it from Tracking and attach it to the invoice again, unless it was removed on purpose.",
  }),
};

export function describeDifference({ code, params }: Pick<StoredDifference, "code" | "params">): Description {
  const describe = SENTENCES[code];
  if (!describe) throw new Error(`The difference ${code} has no sentence.`);
  return describe(params);
}
