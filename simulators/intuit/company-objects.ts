import type { Entity } from "./books.ts";
import type { Company } from "./companies.ts";
import type { Fields } from "./write-context.ts";

/** CompanyInfo, whose id is always "1". The country of the address is a three-letter code. */
export function companyInfo(company: Company): Entity {
  return {
    CompanyName: company.name,
    LegalName: company.legalName,
    CompanyAddr: { Id: "1", ...company.address, Country: ISO3[company.country] ?? company.country },
    Country: company.country,
    Email: { Address: company.email },
    FiscalYearStartMonth: "January",
    DefaultTimeZone: company.timeZone,
    SupportedLanguages: "en",
    NameValue: [
      { Name: "OfferingSku", Value: "QuickBooks Online Plus" },
      { Name: "CompanyType", Value: "Other" },
    ],
    domain: "QBO",
    sparse: false,
    Id: "1",
    SyncToken: "4",
    MetaData: { CreateTime: company.createdAt, LastUpdatedTime: company.createdAt },
  };
}

/** Preferences, with custom field names in Intuit's nested pairs. */
export function preferences(company: Company): Entity {
  const { CustomFieldNames, ...salesForms } = company.preferences["SalesFormsPrefs"] ?? {};
  const names = (CustomFieldNames ?? []) as string[];
  return {
    ...company.preferences,
    SalesFormsPrefs: { ...salesForms, CustomField: customFieldPairs(names) },
    domain: "QBO",
    sparse: false,
    Id: "1",
    SyncToken: "2",
    MetaData: { CreateTime: company.createdAt, LastUpdatedTime: company.createdAt },
  };
}

function customFieldPairs(names: string[]): Fields[] {
  const used = [1, 2, 3].map((n) => ({
    Name: `SalesFormsPrefs.UseSalesCustom${n}`,
    Type: "BooleanType",
    BooleanValue: names[n - 1] !== undefined,
  }));
  const named = names.map((name, i) => ({
    Name: `SalesFormsPrefs.SalesCustomName${i + 1}`,
    Type: "StringType",
    StringValue: name,
  }));
  return [{ CustomField: used }, ...(named.length > 0 ? [{ CustomField: named }] : [])];
}

const ISO3: Record<string, string> = { US: "USA", CA: "CAN", GB: "GBR" };
