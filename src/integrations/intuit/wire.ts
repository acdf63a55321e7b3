import * as z from "zod";

/** Intuit's objects as they come. Unknown properties stay: the service adds some without notice. Ids are always text. */
const id = z.string().min(1);

const ref = z.looseObject({ value: z.string(), name: z.string().optional() });

const nameListObject = {
  Id: id,
  SyncToken: z.string().optional(),
  /** A name that is no longer in use carries the suffix " (deleted)". */
  Active: z.boolean().default(true),
};

export const customer = z.looseObject({
  ...nameListObject,
  DisplayName: z.string(),
  /** `Parent:Child` for sub-customers. */
  FullyQualifiedName: z.string().optional(),
  CompanyName: z.string().optional(),
  ParentRef: ref.optional(),
  CurrencyRef: ref.optional(),
  SalesTermRef: ref.optional(),
  Taxable: z.boolean().optional(),
  PrimaryEmailAddr: z.looseObject({ Address: z.string().optional() }).optional(),
});

export const item = z.looseObject({
  ...nameListObject,
  Name: z.string(),
  FullyQualifiedName: z.string().optional(),
  Sku: z.string().optional(),
  /** Inventory, Service, NonInventory, Category or Group; a Category cannot be invoiced. */
  Type: z.string().optional(),
  Description: z.string().optional(),
  UnitPrice: z.number().optional(),
  Taxable: z.boolean().optional(),
  /** First day an inventory item may be sold. */
  InvStartDate: z.string().optional(),
});

export const term = z.looseObject({
  ...nameListObject,
  Name: z.string(),
  Type: z.string().optional(),
  DueDays: z.number().optional(),
});

/** Classes and departments (locations). */
export const namedObject = z.looseObject({
  ...nameListObject,
  Name: z.string(),
  FullyQualifiedName: z.string().optional(),
});

export const invoice = z.looseObject({
  Id: id,
  SyncToken: z.string(),
  MetaData: z.looseObject({ CreateTime: z.string().optional() }).optional(),
  /** Absent when the company numbers by hand and nobody gave one. */
  DocNumber: z.string().optional(),
  TxnDate: z.string().optional(),
  DueDate: z.string().optional(),
  CustomerRef: ref.optional(),
  /** In units of the invoice's currency. */
  TotalAmt: z.number().default(0),
  Balance: z.number().optional(),
  PrivateNote: z.string().optional(),
  TrackingNum: z.string().optional(),
  ShipDate: z.string().optional(),
  ShipMethodRef: ref.optional(),
  DepartmentRef: ref.optional(),
  /** Payments and credits that count against it, among others. */
  LinkedTxn: z.array(z.looseObject({ TxnId: z.string(), TxnType: z.string() })).optional(),
  /** Tax that QuickBooks added; it is part of TotalAmt. */
  TxnTaxDetail: z.looseObject({ TotalTax: z.number().optional() }).optional(),
  Line: z
    .array(
      z.looseObject({
        Amount: z.number().optional(),
        DetailType: z.string().optional(),
        SalesItemLineDetail: z
          .looseObject({
            Qty: z.number().optional(),
            UnitPrice: z.number().optional(),
            ServiceDate: z.string().optional(),
            ClassRef: ref.optional(),
          })
          .optional(),
      }),
    )
    .default([]),
});
export type Invoice = z.output<typeof invoice>;

export const companyInfo = z.looseObject({
  CompanyName: z.string(),
  LegalName: z.string().optional(),
  Country: z.string().optional(),
  DefaultTimeZone: z.string().optional(),
  Email: z.looseObject({ Address: z.string().optional() }).optional(),
});
export type CompanyInfo = z.output<typeof companyInfo>;

const flag = z.boolean().optional();

/** Groups and fields are left out by companies that never touched them. */
export const preferences = z.looseObject({
  SalesFormsPrefs: z
    .looseObject({
      CustomTxnNumbers: flag,
      AllowShipping: flag,
      AllowServiceDate: flag,
      AllowDiscount: flag,
      DefaultTerms: ref.optional(),
    })
    .default({}),
  AccountingInfoPrefs: z
    .looseObject({
      ClassTrackingPerTxn: flag,
      ClassTrackingPerTxnLine: flag,
      TrackDepartments: flag,
      BookCloseDate: z.string().optional(),
    })
    .default({}),
  CurrencyPrefs: z.looseObject({ MultiCurrencyEnabled: flag, HomeCurrency: ref.optional() }).default({}),
  TaxPrefs: z.looseObject({ UsingSalesTax: flag, PartnerTaxEnabled: flag }).default({}),
});
export type Preferences = z.output<typeof preferences>;

/** The answer to a delete. */
export const deletedInvoice = z.looseObject({ Id: id, status: z.literal("Deleted") });
