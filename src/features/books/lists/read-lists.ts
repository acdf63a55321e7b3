import type { BooksCtx } from "#features/books/ctx.ts";
import { droppedFields } from "#features/books/lists/rules-switches.ts";
import { findPoField } from "#features/books/lists/rules-po-field.ts";
import type { BooksLists } from "#features/books/lists/rules.ts";

/** Reads what the rules resolve names with: a company's lists and the preferences that change what may be sent. */
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
  } = preferences.data;
  return {
    customers: customers.data.map((one) => ({
      ...common(one),
      name: one.DisplayName,
      fullName: one.FullyQualifiedName ?? one.DisplayName,
      ...(one.CurrencyRef ? { currency: one.CurrencyRef.value } : {}),
    })),
    items: items.data.map((one) => ({
      ...common(one),
      name: one.Name,
      fullName: one.FullyQualifiedName ?? one.Name,
      type: one.Type ?? "Service",
      ...(one.Sku ? { sku: one.Sku } : {}),
      ...(one.UnitPrice === undefined ? {} : { unitPrice: one.UnitPrice }),
      ...(one.InvStartDate ? { invStartDate: one.InvStartDate } : {}),
    })),
    terms: terms.data.map((one) => ({
      ...common(one),
      name: one.Name,
      ...(one.DueDays === undefined ? {} : { dueDays: one.DueDays }),
    })),
    classes: classes.data.map((one) => ({
      ...common(one),
      name: one.Name,
      fullName: one.FullyQualifiedName ?? one.Name,
    })),
    departments: departments.data.map((one) => ({
      ...common(one),
      name: one.Name,
      fullName: one.FullyQualifiedName ?? one.Name,
    })),
    customNumbers: forms.CustomTxnNumbers ?? false,
    closedThrough: accounting.BookCloseDate ?? null,
    homeCurrency: currency.HomeCurrency?.value ?? null,
    country: info.data.Country === "USA" ? "US" : (info.data.Country ?? "US"),
    companyName: info.data.CompanyName,
    droppedFields: droppedFields({ ...forms, ...accounting }),
    ...poFieldOf(forms["CustomField"]),
  };
}

function poFieldOf(fields: unknown): Pick<BooksLists, "poField"> {
  const poField = findPoField(fields);
  return poField ? { poField } : {};
}

const common = ({ Id, Active }: { Id: string; Active: boolean }) => ({ id: Id, active: Active });
