/** Headers of columns that count lines or rows. */
const LINE_NUMBERS = /^(?:line|row|seq|sequence|pos|position)(?:no|nr|num|number|id)?$/;

/** Columns of an invoice sheet that are never ignored without a question. */
export const requiredChoices = [
  {
    field: "invoiceNo",
    unless: ["group"],
    headers:
      /^(?:no|nr|id|ref|reference|invoice(?:id|ref)|name|doc|document|(?:doc|document)id|(?:doc|document|reference)no|voucher(?:no)?|(?:vch|bill)no|billnumber|order(?:no|number)|(?:receipt|sales)no|(?:txn|transaction)(?:no|id)|txnnumber)$/,
  },
  // Where one item was chosen for files without a column for it.
  {
    field: "item",
    headers: /item|product|service|sku$|article|^part|goods|material|activity|^task/,
    notHeaders:
      /date|price|qty|quantity|amount|total|tax|discount|cost|weight|status|type|url|fee$|desc|note|memo/,
  },
  // QuickBooks would get a factor that we computed, although the file has its own.
  { field: "qty", given: ["rate", "amount"], notHeaders: LINE_NUMBERS },
] as const;

/** Codes of three letters may also be units; these are not. */
const CURRENCIES = /^(?:USD|EUR|GBP|CAD|AUD|NZD|MXN|JPY|CNY|CHF|SEK|NOK|DKK|INR|SGD|HKD|BRL|ZAR)$/;

/** States of a document that no longer bills, or does not yet: it is held back. */
export const held = /\b(?:void(?:ed)?|cancell?ed|deleted|drafts?|refunded|returned|rejected|declined)\b/i;

export const rowMarks = {
  field: "documentStatus",
  held,
  lines: ["item", "description"],
  notes: ["customerMemo", "privateNote"],
} as const;

/** In marketplace orders, an item's price is the total for all its pieces. */
export const doubtful = [{ headers: /^itemprice$/, beside: /^quantitypurchased$|^orderitemid$/ }];

/** Columns that decide what is billed although their headers are ambiguous. */
export const undecided = {
  quiet:
    /^(?:line|row|seq|sequence|pos|position)$|^rowin|(?:id|no|nr|num|number|code|sku|upc|ean|gtin|barcode|phone|fax|mobile|zip|zipcode|postalcode|postcode|weight|year|month|week|day|days|reference|ref|version|revision)$|^rev$|^(?:customer|client|patient|child|pet|member)?age$/,
  // "Deposit Paid" and "Rate per Day" end like an id and a day.
  notQuiet:
    /paid$|(?:price|rate|fee|amount|total|charge|cost|discount|tax|balance).*(?:weight|year|month|week|days?)$/,
  words:
    /^(?:transaction|txn|document|doc|invoice|order|record|voucher|line)?(?:type|kind|status)$|^(?:transaction|txn|trans|document|doc)$|^(?:is)?(?:void(?:ed)?|cancell?ed|deleted|draft)$/,
  harmless:
    /^(?:(?:sales |tax )?invoices?|inv|open|paid|unpaid|partially paid|partial|sent|viewed|overdue|posted|approved|complete(?:d)?|closed|fulfilled|unfulfilled|shipped|no|n|false|0)$/i,
  charges: ["lineDiscount", "discountPercent", "discount", "shipping", "fee", "deposit"],
  subtracted: /refund|return|credit|cancel|chargeback|writeoff|writtenoff|disputed/,
  byWords: [
    // "Curr." of dollars and euros.
    {
      unless: "currency",
      shows: (words: readonly string[]) =>
        words.every((word) => CURRENCIES.test(word)) && words.some((word) => word !== "USD"),
      guess: "currency",
    },
    // The price of a thousand, in sheets without an amount that would show it.
    {
      headers: /^(?:uom|um|units?|unitofmeasure|per|price(?:per|unit|uom)|pricingunit)$/,
      unless: "amount",
      shows: (words: readonly string[]) =>
        words.some((word) => /^(?:per )?(?:m|c|cwt|k|100|1,?000|hundred|thousand)$/i.test(word)),
      guess: null,
    },
  ],
  // Xero's columns, whose Discount is a percentage of the line.
  percentages: {
    of: { discount: "lineDiscountPercent", lineDiscount: "lineDiscountPercent" },
    beside: /^(?:unitamount|accountcode|taxtype)$/,
  },
  guesses: [
    // Pieces that came back, floors and markups change amounts in ways that only a user knows.
    {
      headers: /return|backorder|reject|markup|^min(?:imum)?(?:fee|charge|rate|price|amount)?$/,
      field: null,
    },
    { headers: /^(?:linediscount|itemdiscount)/, field: "lineDiscount" },
    {
      headers: /discount.*(?:percent|pct|rate)$|^(?:percent|pct).*discount|^discpercent$/,
      field: "discountPercent",
    },
    { headers: /discount|^disc$|markdown|rebate|promo|coupon|allowance|concession/, field: "discount" },
    { headers: /^(?:qty|quantity)|(?:qty|quantity)$/, field: "qty" },
    { headers: /ship|freight|postage|delivery/, field: "shipping" },
    {
      headers: /fee$|surcharge|handling|setup|^tips?$|tipamount|gratuity|adjustment$|rounding$/,
      field: "fee",
    },
    { headers: /deposit|prepaid|prepayment|retainer/, field: "deposit" },
    // "Price incl. tax" and "Tax Rate" aren't taxes.
    { headers: /^(?!.*(?:price|rate|cost|incl)).*(?:tax|vat|gst|hst)/, field: "taxTotal" },
    { headers: /(?:ext(?:ended)?|line|item)(?:price|total|amount)?$/, field: "amount" },
    { headers: /total|balance|amountdue|openbalance/, field: "invoiceTotal" },
    { headers: /status|void|cancel|deleted|draft/, field: "documentStatus" },
    { headers: /type|kind|^(?:transaction|txn|trans|document|doc)$/, field: "documentType" },
    { headers: /qty|quantity|units?$|hours|hrs/, field: "qty" },
    { headers: /^(?!.*(?:tax|vat|gst|hst)).*(?:price|rate|cost)/, field: "rate" },
  ],
} as const;
