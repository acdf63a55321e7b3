import * as z from "zod";

/** Unwraps an answer that consists of one named object. */
export const wrapped = <S extends z.ZodType>(name: string, schema: S) =>
  z.object({ [name]: schema }).transform((body) => body[name] as z.output<S>);

/**
 * Intuit's objects as received. Unknown properties are kept: the service adds some without notice. Ids are
 * always text.
 */
const id = z.string().min(1);

/** A property that may be missing or null, with the same meaning. */
const opt = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => value ?? undefined, schema.optional());

/** A property with a default if it is missing or null. */
const orElse = <S extends z.ZodType>(schema: S, fallback: z.input<S>) =>
  z.preprocess((value) => value ?? fallback, schema);

const ref = z.looseObject({ value: z.string(), name: opt(z.string()) });

const metaData = opt(z.looseObject({ CreateTime: opt(z.string()), LastUpdatedTime: opt(z.string()) }));

const nameListObject = {
  Id: id,
  MetaData: metaData,
  /** A name that is no longer in use has the suffix " (deleted)". */
  Active: orElse(z.boolean(), true),
};

export const customer = z.looseObject({
  ...nameListObject,
  DisplayName: z.string(),
  /** `Parent:Child` for sub-customers. */
  FullyQualifiedName: opt(z.string()),
  CurrencyRef: opt(ref),
});

/** Classes and departments (locations), and their common part with items. */
export const namedObject = z.looseObject({
  ...nameListObject,
  Name: z.string(),
  FullyQualifiedName: opt(z.string()),
});

export const item = namedObject.extend({
  Sku: opt(z.string()),
  /** Inventory, Service, NonInventory, Category or Group; a Category cannot be invoiced. */
  Type: opt(z.string()),
  UnitPrice: opt(z.number()),
  /** First day on which an inventory item may be sold. */
  InvStartDate: opt(z.string()),
});

export const term = z.looseObject({
  ...nameListObject,
  Name: z.string(),
  DueDays: opt(z.number()),
});

const line = z.looseObject({
  Amount: opt(z.number()),
  DetailType: opt(z.string()),
  SalesItemLineDetail: opt(
    z.looseObject({
      ItemRef: opt(ref),
      Qty: opt(z.number()),
      UnitPrice: opt(z.number()),
      ServiceDate: opt(z.string()),
      ClassRef: opt(ref),
    }),
  ),
});

/** Times have an offset and no fraction, as in 2020-09-29T05:58:07-07:00. */
export const invoice = z.looseObject({
  Id: id,
  SyncToken: z.string(),
  MetaData: metaData,
  /** Absent if the company numbers by hand and no number was given. */
  DocNumber: opt(z.string()),
  TxnDate: opt(z.string()),
  DueDate: opt(z.string()),
  CustomerRef: opt(ref),
  /** `value` is an ISO code. */
  CurrencyRef: opt(ref),
  /** In units of the invoice's currency. */
  TotalAmt: orElse(z.number(), 0),
  Balance: opt(z.number()),
  Deposit: opt(z.number()),
  PrivateNote: opt(z.string()),
  TrackingNum: opt(z.string()),
  ShipDate: opt(z.string()),
  ShipMethodRef: opt(ref),
  DepartmentRef: opt(ref),
  /** A definition is listed without a value too. */
  CustomField: opt(z.array(z.looseObject({ Name: opt(z.string()), StringValue: z.string().nullish() }))),
  /** Linked payments and credits, among others. */
  LinkedTxn: opt(z.array(z.looseObject({ TxnId: z.string(), TxnType: z.string() }))),
  /** Tax added by QuickBooks; part of TotalAmt. */
  TxnTaxDetail: opt(z.looseObject({ TotalTax: opt(z.number()) })),
  Line: orElse(z.array(line), []),
});
export type Invoice = z.output<typeof invoice>;

export const companyInfo = z.looseObject({
  CompanyName: z.string(),
  Country: opt(z.string()),
  DefaultTimeZone: opt(z.string()),
});

const flag = opt(z.boolean());

/** Groups and fields are missing in companies that never changed them. */
export const preferences = z.looseObject({
  SalesFormsPrefs: orElse(
    z.looseObject({
      CustomTxnNumbers: flag,
      AllowShipping: flag,
      AllowServiceDate: flag,
      AllowDiscount: flag,
      AllowDeposit: flag,
    }),
    {},
  ),
  AccountingInfoPrefs: orElse(
    z.looseObject({
      ClassTrackingPerTxnLine: flag,
      TrackDepartments: flag,
      BookCloseDate: opt(z.string()),
    }),
    {},
  ),
  CurrencyPrefs: orElse(z.looseObject({ HomeCurrency: opt(ref) }), {}),
  TaxPrefs: orElse(z.looseObject({ UsingSalesTax: flag }), {}),
});

/** Answer to a delete, and how changes list a deleted invoice. */
export const deletedInvoice = z.looseObject({ Id: id, status: z.literal("Deleted"), MetaData: metaData });

/** A file in the books. */
export const attachable = z.looseObject({
  Id: id,
  /** Absent for a note without a file. */
  FileName: opt(z.string()),
  /** Bytes. */
  Size: opt(z.number()),
  ContentType: opt(z.string()),
  /** Signed address of the file's bytes, valid for 15 minutes. */
  TempDownloadUri: opt(z.string()),
  MetaData: metaData,
  AttachableRef: orElse(
    z.array(
      z.looseObject({ EntityRef: opt(z.looseObject({ type: opt(z.string()), value: opt(z.string()) })) }),
    ),
    [],
  ),
});
export type Attachable = z.output<typeof attachable>;
