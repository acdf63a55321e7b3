import { centsToNumber } from "../kit/decimal.ts";
import { DEFAULT_LIMITS, saveCompany, type Company, type PreferenceGroup } from "./companies.ts";
import { createInvoice } from "./invoice-write.ts";
import type { CompanyLimits } from "./limits.ts";
import { createNamed } from "./name-list.ts";
import { CUSTOMERS, ITEMS, TAX_CODES_CA, TERMS } from "./seed-lists.ts";
import type { Simulator } from "./simulator.ts";
import { metaTime } from "./wire-time.ts";
import { store, metaNow, type Fields, type WriteContext } from "./write-context.ts";

/** Content of a company to seed. A number creates that many objects, a list exactly these. */
export type CompanyPlan = {
  realmId: string;
  name?: string;
  country?: string;
  admins?: string[];
  preferences?: Record<string, PreferenceGroup>;
  limits?: Partial<CompanyLimits>;
  taxPercent?: string;
  customers?: number | Fields[];
  items?: number | Fields[];
  terms?: Fields[];
  classes?: string[];
  departments?: string[];
  invoices?: number | Fields[];
};

/** Creates a company with its lists and some invoices; returns the ids by name. */
export function seedCompany(
  sim: Simulator,
  plan: CompanyPlan,
): { realmId: string; customers: Record<string, string>; items: Record<string, string> } {
  const company = buildCompany(sim, plan);
  saveCompany(sim, company);
  const ctx: WriteContext = { sim, company, who: "QuickBooks setup" };
  for (const term of plan.terms ?? TERMS) createNamed(ctx, "Term", term);
  for (const name of plan.classes ?? ["Wholesale", "Retail", "Online"])
    createNamed(ctx, "Class", { Name: name });
  for (const name of plan.departments ?? ["Main warehouse", "North store"])
    createNamed(ctx, "Department", { Name: name });
  seedTaxCodes(ctx);
  const customers = seedNamed(ctx, "Customer", fillList(plan.customers, CUSTOMERS, generatedCustomer));
  const items = seedNamed(ctx, "Item", fillList(plan.items, ITEMS, generatedItem));
  seedInvoices(ctx, plan.invoices ?? 6, { customers, items });
  return { realmId: plan.realmId, customers, items };
}

function buildCompany(sim: Simulator, plan: CompanyPlan): Company {
  const country = plan.country ?? "US";
  const name = plan.name ?? `Company ${plan.realmId}`;
  return {
    realmId: plan.realmId,
    name,
    legalName: `${name} ${country === "US" ? "LLC" : "Ltd."}`,
    country,
    timeZone: country === "US" ? "America/Los_Angeles" : "America/Toronto",
    email: "books@example.com",
    address: {
      Line1: "1 Harbour Road",
      City: "Springfield",
      CountrySubDivisionCode: country === "US" ? "CA" : "ON",
      PostalCode: "94043",
    },
    preferences: mergePreferences(defaultPreferences(country), plan.preferences ?? {}),
    admins: plan.admins ?? [],
    status: "active",
    limits: { ...DEFAULT_LIMITS, ...plan.limits },
    taxPercent: plan.taxPercent ?? "8.25",
    createdAt: metaTime(sim.clock.now()),
  };
}

/** Merges changes into preferences, group by group. */
export function mergePreferences(
  base: Record<string, PreferenceGroup>,
  change: Record<string, PreferenceGroup>,
): Record<string, PreferenceGroup> {
  const merged = { ...base };
  for (const [group, values] of Object.entries(change)) merged[group] = { ...merged[group], ...values };
  return merged;
}

function defaultPreferences(country: string): Record<string, PreferenceGroup> {
  return {
    AccountingInfoPrefs: {
      FirstMonthOfFiscalYear: "January",
      UseAccountNumbers: false,
      TaxYearMonth: "January",
      ClassTrackingPerTxn: false,
      ClassTrackingPerTxnLine: true,
      TrackDepartments: true,
      DepartmentTerminology: "Location",
      CustomerTerminology: "Customers",
    },
    SalesFormsPrefs: {
      CustomTxnNumbers: false,
      AllowDeposit: false,
      AllowDiscount: true,
      AllowEstimates: true,
      AllowServiceDate: true,
      AllowShipping: true,
      CustomFieldNames: ["Crew #"],
      ETransactionEnabledStatus: "NotApplicable",
    },
    CurrencyPrefs: {
      MultiCurrencyEnabled: false,
      HomeCurrency:
        country === "CA"
          ? { value: "CAD", name: "Canadian Dollar" }
          : { value: "USD", name: "United States Dollar" },
    },
    TaxPrefs: { UsingSalesTax: country !== "US" },
  };
}

function fillList(
  wanted: number | Fields[] | undefined,
  demo: Fields[],
  make: (n: number) => Fields,
): Fields[] {
  if (Array.isArray(wanted)) return wanted;
  return wanted === undefined ? demo : Array.from({ length: wanted }, (_, i) => make(i + 1));
}

const generatedCustomer = (n: number): Fields => ({ DisplayName: `Customer ${String(n).padStart(5, "0")}` });
const generatedItem = (n: number): Fields => ({
  Name: `Item ${String(n).padStart(5, "0")}`,
  Type: "Service",
  UnitPrice: 10,
  Sku: `SKU-${n}`,
});

/** Creates named objects in order; `Parent` names an earlier one. */
function seedNamed(ctx: WriteContext, kind: "Customer" | "Item", bodies: Fields[]): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const { Parent: parent, ...body } of bodies) {
    const nested = typeof parent === "string" ? { ParentRef: { value: ids[parent] ?? parent } } : {};
    const entity = createNamed(ctx, kind, { ...body, ...nested });
    ids[String(entity["FullyQualifiedName"])] = entity.Id;
  }
  return ids;
}

function seedTaxCodes(ctx: WriteContext): void {
  const codes = ctx.company.country === "US" ? US_TAX_CODES : TAX_CODES_CA;
  for (const { Id, ...rest } of codes) {
    const entity = {
      domain: "QBO",
      sparse: false,
      Id: String(Id),
      SyncToken: "0",
      MetaData: metaNow(ctx),
      Active: true,
      ...rest,
    };
    store(ctx, "TaxCode", { entity, operation: "created" });
  }
}

const US_TAX_CODES: Fields[] = [
  { Id: "TAX", Name: "TAX", Description: "TAX", Taxable: true, TaxGroup: false },
  { Id: "NON", Name: "NON", Description: "NON", Taxable: false, TaxGroup: false },
];

type Ids = { customers: Record<string, string>; items: Record<string, string> };

function seedInvoices(ctx: WriteContext, wanted: number | Fields[], { customers, items }: Ids): void {
  if (Array.isArray(wanted)) {
    for (const body of wanted) createInvoice(ctx, body, { allowDuplicateDocNumber: true });
    return;
  }
  const active = (kind: "Customer" | "Item", ids: Record<string, string>) =>
    Object.values(ids).filter((id) => {
      const entity = ctx.sim.books.get(ctx.company.realmId, kind, id);
      return entity?.["Active"] !== false && entity?.["Type"] !== "Category";
    });
  const [payers, goods] = [active("Customer", customers), active("Item", items)];
  if (payers.length === 0 || goods.length === 0) return;
  for (let n = 0; n < wanted; n += 1)
    createInvoice(ctx, pastInvoice(ctx, { n, of: wanted, payers, goods }), { allowDuplicateDocNumber: true });
}

type Past = { n: number; of: number; payers: string[]; goods: string[] };

function pastInvoice(ctx: WriteContext, { n, of, payers, goods }: Past): Fields {
  const day = new Date(ctx.sim.clock.now().getTime() - (of - n) * 86_400_000).toISOString().slice(0, 10);
  const taxCode = ctx.company.country === "US" ? {} : { TaxCodeRef: { value: "3" } };
  const line = (k: number): Fields => {
    const qty = 1 + ((n + k) % 5);
    const cents = BigInt(1295 + ((n * 7 + k * 13) % 40) * 250);
    return {
      Amount: centsToNumber(cents * BigInt(qty)),
      DetailType: "SalesItemLineDetail",
      SalesItemLineDetail: {
        ItemRef: { value: goods[(n + k) % goods.length] },
        Qty: qty,
        UnitPrice: centsToNumber(cents),
        ...taxCode,
      },
    };
  };
  return {
    CustomerRef: { value: payers[(n * 5) % payers.length] },
    TxnDate: day,
    DocNumber: "AUTO_GENERATE",
    Line: Array.from({ length: 1 + (n % 3) }, (_, k) => line(k)),
  };
}
