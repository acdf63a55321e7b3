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

/** States of a document that no longer bills, or does not yet: it is held back. */
export const held = /\b(?:void(?:ed)?|cancell?ed|deleted|drafts?|refunded|returned|rejected|declined)\b/i;

/** In marketplace orders, an item's price is the total for all its pieces. */
export const doubtful = [{ headers: /^itemprice$/, beside: /^quantitypurchased$|^orderitemid$/ }];

/** Columns that decide what is billed although their headers are ambiguous. */
export const undecided = {
  quiet:
    /^(?:line|row|seq|sequence|pos|position)$|^rowin|(?:id|no|nr|num|number|code|sku|upc|ean|gtin|barcode|phone|fax|mobile|zip|zipcode|postalcode|postcode|weight|year|month|week|day|days|age|reference|ref)$/,
  // "Deposit Paid", "Discount Percentage" and "Rate per Day" end like an id, an age and a day.
  notQuiet:
    /paid$|percentage$|(?:price|rate|fee|amount|total|charge|cost|discount|tax|balance).*(?:weight|year|month|week|days?|age)$/,
  words:
    /^(?:transaction|txn|document|doc|invoice|order|record|voucher|line)?(?:type|kind|status)$|^(?:is)?(?:void(?:ed)?|cancell?ed|deleted|draft)$/,
  harmless:
    /^(?:(?:sales |tax )?invoices?|inv|open|paid|unpaid|partially paid|partial|sent|viewed|overdue|posted|approved|complete(?:d)?|closed|fulfilled|unfulfilled|shipped|no|n|false|0)$/i,
  // Xero's columns, of which Discount is a percentage of the line.
  percentages: {
    of: { discount: "lineDiscountPercent", lineDiscount: "lineDiscountPercent" },
    beside: /^(?:unitamount|accountcode|taxtype)$/,
  },
  guesses: [
    { headers: /^(?:linediscount|itemdiscount)/, field: "lineDiscount" },
    {
      headers: /discount.*(?:percent|pct|rate)$|^(?:percent|pct).*discount|^discpercent$/,
      field: "discountPercent",
    },
    { headers: /discount|^disc$/, field: "discount" },
    { headers: /ship|freight|postage|delivery/, field: "shipping" },
    {
      headers: /fee$|surcharge|handling|setup|^tips?$|tipamount|gratuity|adjustment$|rounding$/,
      field: "fee",
    },
    { headers: /deposit|prepaid|prepayment|retainer/, field: "deposit" },
    { headers: /tax|vat|gst|hst/, field: "taxTotal" },
    { headers: /(?:ext(?:ended)?|line|item)(?:price|total|amount)?$/, field: "amount" },
    { headers: /total|balance|amountdue|openbalance/, field: "invoiceTotal" },
    { headers: /status|void|cancel|deleted|draft/, field: "documentStatus" },
    { headers: /type|kind/, field: "documentType" },
    { headers: /qty|quantity|units?$|hours|hrs/, field: "qty" },
    { headers: /price|rate|cost/, field: "rate" },
  ],
} as const;
