const day = (m: number, d: number) => ({ kind: "date", y: 2026, m, d, seconds: 0 }) as const;

/** The template's two sample rows, one invoice; no company has a customer with this name. */
export const invoiceSamples = {
  field: "customer",
  value: "Sample Customer (delete this row)",
  rows: [
    {
      invoiceNo: "SAMPLE-1",
      invoiceDate: day(1, 15),
      dueDate: day(2, 14),
      terms: "Net 30",
      poNumber: "00123456",
      item: "Widget",
      description: "Blue widget, box of 12",
      qty: 3,
      rate: 9,
      amount: 27,
      taxable: "Y",
      shipVia: "UPS",
      trackingNo: "1Z999AA10123456784",
    },
    {
      invoiceNo: "SAMPLE-1",
      item: "Freight",
      description: "A further line: repeat the Invoice No",
      qty: 1,
      rate: 12.5,
      amount: 12.5,
      taxable: "N",
    },
  ],
} as const;
