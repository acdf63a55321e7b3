/**
 * Formats a date as QuickBooks shows it, "Nov 2, 2026". @param day YYYY-MM-DD; anything else is returned
 * unchanged
 */
export function shownDay(day: unknown): string {
  const text = typeof day === "string" ? day : "";
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? text : DAY.format(date);
}

/** Formats a time in Intuit's time zone. @param at milliseconds since 1970 */
export function shownTime(at: number): string {
  return TIME.format(at);
}

/** Formats an amount with its currency sign and two decimals. @param currency ISO 4217; default US dollars */
export function shownMoney(amount: unknown, currency = "USD"): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(Number(amount));
}

const DAY = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "America/Los_Angeles",
});
