import { KINDS, type Kind } from "./books.ts";

const COMMON = "Id SyncToken MetaData.CreateTime MetaData.LastUpdatedTime";
const NAMES = `${COMMON} Name FullyQualifiedName Active ParentRef Level`;

/** Properties a query may filter or sort by; any other is "not found" in a query, including `TrackingNum`. */
const FILTERABLE: Record<Kind, string> = {
  Invoice:
    `${COMMON} DocNumber TxnDate DueDate CustomerRef TotalAmt Balance SalesTermRef ShipDate PONumber ` +
    "EmailStatus PrintStatus DepartmentRef ClassRef CurrencyRef PrivateNote",
  Customer:
    `${COMMON} DisplayName FullyQualifiedName CompanyName GivenName MiddleName FamilyName Active Balance BalanceWithJobs Job ` +
    "ParentRef PrimaryEmailAddr PrintOnCheckName Taxable Level",
  Item: `${NAMES} Sku Type UnitPrice QtyOnHand Taxable InvStartDate`,
  Term: `${COMMON} Name Active Type DueDays`,
  Class: NAMES,
  Department: NAMES,
  TaxCode: `${COMMON} Name Active Taxable TaxGroup`,
  Attachable: `${COMMON} FileName Note ContentType Category AttachableRef.EntityRef.value AttachableRef.EntityRef.Type AttachableRef.EntityRef.type Size`,
};

const BY_KIND = new Map(
  KINDS.map(
    (kind) => [kind, new Map(FILTERABLE[kind].split(" ").map((name) => [name.toLowerCase(), name]))] as const,
  ),
);

/** Returns the property's canonical spelling; undefined if a query cannot use it. */
export function filterable(kind: Kind, property: string): string | undefined {
  return BY_KIND.get(kind)?.get(property.toLowerCase());
}

/** Finds the kind for an entity name in a query, path or list, ignoring case. */
export function kindNamed(name: string): Kind | undefined {
  return KINDS.find((kind) => kind.toLowerCase() === name.toLowerCase());
}

export function isNameList(kind: Kind): boolean {
  return kind !== "Invoice" && kind !== "Attachable";
}
