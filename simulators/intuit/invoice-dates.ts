import type { Entity } from "./books.ts";

const DEFAULT_DUE_DAYS = 30;

/** Due date from a term, or 30 days after the invoice's date when there is none. Dates `YYYY-MM-DD`. */
export function computeDueDate(txnDate: string, term: Entity | undefined): string {
  if (term?.["Type"] === "DATE_DRIVEN") return dateDriven(txnDate, term);
  return addDays(txnDate, term ? Number(term["DueDays"] ?? 0) : DEFAULT_DUE_DAYS);
}

function dateDriven(txnDate: string, term: Entity): string {
  const day = Number(term["DayOfMonthDue"] ?? 1);
  const [year = 0, month = 1] = txnDate.split("-").map(Number);
  const candidate = dayOfMonth(year, month, day);
  const earliest = addDays(txnDate, Number(term["DueNextMonthDays"] ?? 0));
  return candidate >= txnDate && candidate >= earliest ? candidate : dayOfMonth(year, month + 1, day);
}

function dayOfMonth(year: number, month: number, day: number): string {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1, Math.min(day, last))).toISOString().slice(0, 10);
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
