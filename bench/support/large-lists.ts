import type { BooksLists } from "../../src/features/books/lists/rules.ts";

/** Builds the lists of a company with 10,000 customers and 5,000 items. */
export function largeLists(): BooksLists {
  const named = (names: readonly string[], others: number, word: string) =>
    [...names, ...Array.from({ length: others }, (_, index) => `${word} ${index}`)].map((name, index) => ({
      id: String(index + 1),
      name,
      fullName: name,
      active: true,
    }));
  const customers = [
    "Cool Cars",
    "Red Rock Diner",
    "Northwind Outfitters",
    "O'Brien Builders",
    "Kookies by Kathy",
  ];
  return {
    companyName: "Large Trading",
    customers: named(customers, 10_000, "Customer of the north"),
    items: named(["Claw Hammer", "Work Gloves", "Delivery"], 5_000, "Part").map((item) => ({
      ...item,
      type: "Service",
    })),
    terms: [{ id: "1", name: "Net 30", active: true, dueDays: 30 }],
    classes: [],
    departments: [],
    customNumbers: true,
    closedThrough: null,
    homeCurrency: "USD",
    country: "US",
  };
}
