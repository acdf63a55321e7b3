import { formatLocalDay } from "#web/kit/format.ts";

/** @param seconds since 1970 */
export const formatDay = (seconds: number): string => formatLocalDay(new Date(seconds * 1000).toISOString());

/** UI text for the page that records a payment. */
export const completionWords = {
  title: "Recording Payment",
  reading: "Loading the payment",
  status: (status: string) => `Payment status is "${status}".`,
  thanks: "Thank you! Activating your subscription.",
  errorTitle: "Payment Error",
  incomplete: "This payment link is incomplete.",
  received: "Your payment was received. We will finish activating your subscription.",
  tryAgain: "Try again",
  settings: "Back to Settings",
} as const;

/** For an admin who doesn't pay: the button is below. */
const CHANGE_PAYER = "Ask its payer to change the card, or take over billing and add it again,";

/** UI text for Current Services and for paying for one. */
export const serviceWords = {
  upload: { name: "Invoice Upload", text: "Post invoices from a spreadsheet or the web form", price: "Free" },
  loading: "Loading the services",
  empty: "No services are offered yet.",
  per: (interval: string) => ` / ${interval}`,
  statuses: { active: "Active", trialing: "Trial", canceling: "Canceling" } as Readonly<
    Record<string, string>
  >,
  ends: (at: number) => `Ends ${formatDay(at)}`,
  trialEnds: (at: number) => `Trial ends ${formatDay(at)}`,
  renews: (at: number, amount: string) => `Renews ${formatDay(at)} for ${amount}`,
  add: "Add",
  manage: "Manage",
  fix: "Fix payment",
  soon: "Coming soon",
  needs: { tracking: "Needs your company's UPS account." },
  setUp: {
    text: "We track packages with your UPS account.",
    attach: "Attach proofs of delivery to invoices",
    onSend: "Send the proof with the invoice",
    link: "Set it up",
    href: "/settings/?section=tracking",
  },
  trial: (days: number) => `Try free for ${days} days`,
  thenCosts: (rate: string, interval: string, at: number) =>
    `then ${rate} ${/^\d/.test(interval) ? "every" : "a"} ${interval} from ${formatDay(at)}`,
  dueToday: (rate: string) => `${rate} due today`,
  trialRuns: (at: number) =>
    `Your free trial runs through ${formatDay(at)}. We won't charge you unless you add a card.`,
  added: (product: string) => `${product} added!`,
  ok: "OK",
  isActive: (product: string) => `${product} is active.`,
  grace: (product: string, at: number, isPayer: boolean) =>
    `The last renewal wasn't paid. ${product} stays on until ${formatDay(at)}. ${isPayer ? "Fix the payment" : CHANGE_PAYER} to keep it.`,
  off: (product: string, isPayer: boolean) =>
    `${product} is off because its renewal wasn't paid. Your data and settings are kept. ${isPayer ? "Fix the payment" : CHANGE_PAYER} to turn it on.`,
  paidBy: (payer: string) => `${payer} pays for this company's services and can change them.`,
  takeOverAsk: "Pay for this company yourself",
  takeOverMeans: (payer: string) =>
    `${payer} won't be charged again. What they paid for stays on until the paid period ends. After that, add it again with your own card. You won't see their card or invoices.`,
  takeOver: "Take over billing",
  keepPayer: "Keep the current payer",
  youPay: (company: string) => `You pay for ${company}`,
  otherAdmin: "Another user is its admin now, but your card still pays for its services.",
  disconnected: "It's disconnected, but your card still pays for its services.",
  youPayMeans: "In the billing portal you can change the card or stop paying.",
  portal: "Open billing portal",
  portalHas: "Your card, invoices, and receipts, at Stripe",
} as const;

/** UI text for the payment form. */
export const paymentWords = {
  title: "Pay by card",
  label: (product: string) => `Payment for ${product}`,
  loading: "Loading the payment form",
  notLoaded:
    "The payment form couldn't be loaded. Check your connection, and that your browser doesn't block Stripe.",
  retry: "Try again",
  pay: (amount: string) => `Pay ${amount}`,
  cancel: "Cancel",
  errorTitle: "Message from Stripe",
  unexpected: "An unexpected error occurred.",
  secure: "Stripe processes the payment. We never see your card number.",
  summary: "Summary",
  line: (product: string, interval: string) => `${product}, per ${interval}`,
  due: "Due today",
  terms: (company: string, product: string, renews: string | null) =>
    `For ${company}. ${renews === null ? "" : `Renews on ${renews}. `}Cancel anytime; ${product} keeps working until the end of the paid period.`,
} as const;
