/** As QuickBooks shows it: the day of the books, "Nov 2, 2026". @param day YYYY-MM-DD; anything else stays as it is */
export function shownDay(day: unknown): string {
  const text = typeof day === "string" ? day : "";
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? text : DAY.format(date);
}

/** Formats a time in the zone of Intuit's own times. @param at milliseconds since 1970 */
export function shownTime(at: number): string {
  return TIME.format(at);
}

/** An amount with its currency's sign, two decimals. @param currency ISO 4217; US dollars when there is none */
export function shownMoney(amount: unknown, currency = "USD"): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(Number(amount));
}

const DAY = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "America/Los_Angeles",
});
