/** Headers of columns that count lines or rows. */
const LINE_NUMBERS = /^(?:line|row|seq|sequence|pos|position)(?:no|nr|num|number|id)?$/;

/** Columns of a sheet of invoices that are not passed over without a question. */
export const invoiceAskedFor = [
  {
    field: "invoiceNo",
    unless: ["group"],
    headers:
      /^(?:no|nr|id|ref|reference|invoice(?:id|ref)|doc|document|(?:doc|document)id|voucher(?:no)?|(?:vch|bill)no|billnumber|order(?:no|number)|(?:receipt|sales)no|(?:txn|transaction)(?:no|id)|txnnumber)$/,
  },
  // QuickBooks would be given a factor that we worked out, though the file has its own.
  { field: "qty", given: ["rate", "amount"], notHeaders: LINE_NUMBERS },
  { field: "rate", given: ["qty", "amount"], notHeaders: LINE_NUMBERS },
] as const;
