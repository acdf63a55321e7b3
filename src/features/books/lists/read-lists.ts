import type { BooksCtx } from "#features/books/ctx.ts";
import { findPoField } from "#features/books/lists/rules-po-field.ts";
import type { BooksLists } from "#features/books/lists/rules.ts";
import type { OtherField } from "#features/books/contract.ts";

/**
 * Reads what names are resolved with: a company's lists, and the preferences that affect what may
 * be sent.
 */
export async function readLists(ctx: BooksCtx, realmId: string): Promise<BooksLists> {
  const books = ctx.books(realmId);
  const [customers, items, terms, classes, departments, preferences, info] = await Promise.all([
    books.customers(),
    books.items(),
    books.terms(),
    books.classes(),
    books.departments(),
    books.preferences(),
    books.companyInfo(),
  ]);
  const {
    SalesFormsPrefs: forms,
    AccountingInfoPrefs: accounting,
    CurrencyPrefs: currency,
    TaxPrefs: tax,
  } = preferences.data;
  return {
    customers: customers.data.map((entry) => ({
      ...common(entry, entry.DisplayName),
      currency: entry.CurrencyRef?.value,
    })),
    items: items.data.map((entry) => ({
      ...common(entry, entry.Name),
      type: entry.Type ?? "Service",
      sku: entry.Sku,
      unitPrice: entry.UnitPrice,
      invStartDate: entry.InvStartDate,
    })),
    terms: terms.data.map(({ Id, Active, Name, DueDays }) => ({
      id: Id,
      active: Active,
      name: Name,
      dueDays: DueDays,
    })),
    classes: classes.data.map((entry) => common(entry, entry.Name)),
    departments: departments.data.map((entry) => common(entry, entry.Name)),
    customNumbers: forms.CustomTxnNumbers ?? false,
    closedThrough: accounting.BookCloseDate ?? null,
    homeCurrency: currency.HomeCurrency?.value ?? null,
    country: info.data.Country === "USA" ? "US" : (info.data.Country ?? "US"),
    companyName: info.data.CompanyName,
    salesTaxOff: tax.UsingSalesTax === false,
    droppedFields: droppedFields({ ...forms, ...accounting }),
    allowed: {
      discount: forms.AllowDiscount !== false,
      shipping: forms.AllowShipping !== false,
      // If it is off, QuickBooks drops deposits silently, so it must be on.
      deposit: forms.AllowDeposit === true,
    },
    poField: findPoField(forms["CustomField"]) ?? undefined,
  };
}

type Listed = { Id: string; Active: boolean; FullyQualifiedName?: string | undefined };

const common = ({ Id, Active, FullyQualifiedName }: Listed, name: string) => ({
  id: Id,
  active: Active,
  name,
  fullName: FullyQualifiedName ?? name,
});

/** Preferences without which QuickBooks silently drops fields of an invoice. */
const SWITCHES = {
  AllowShipping: ["ship_via", "ship_date", "tracking_no"],
  AllowServiceDate: ["service_date"],
  ClassTrackingPerTxnLine: ["class"],
  TrackDepartments: ["location"],
} as const satisfies Record<string, readonly OtherField[]>;

type Switches = { [Name in keyof typeof SWITCHES]?: boolean | undefined };

/** Fields that QuickBooks will drop. A preference that the company never changed is absent. */
export const droppedFields = (preferences: Switches): OtherField[] =>
  Object.entries(SWITCHES).flatMap(([name, fields]) =>
    preferences[name as keyof Switches] === false ? fields : [],
  );
