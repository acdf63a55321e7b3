import { columnName } from "#formats/xlsx/cell-names.ts";
import { writeWorkbook, type WrittenColumn, type WrittenSheet } from "#formats/xlsx/write-workbook.ts";
import { ALL_FIELDS, specOf, type Field } from "#features/invoices/workbook/rules-fields.ts";
import type { BooksLists } from "#features/invoices/plan/rules-plan.ts";
import { SAMPLE_CUSTOMER } from "#features/invoices/workbook/rules-sample.ts";
import { offeredLists, type OfferedList } from "#features/invoices/template/rules-lists.ts";
import { TEMPLATE_VERSION, templateNames } from "#features/invoices/template/rules-version.ts";

/**
 * The upload template: sheet "Invoices" with the headers and two sample rows of one invoice, sheet "Read me" with
 * every column explained, and a sheet "Lists" that nobody sees. The same input gives
 * the same bytes.
 * @param made day (YYYY-MM-DD) and lists of a company, for drop-downs of its names
 */
export function writeTemplate(made?: { day: string; lists: BooksLists }): Promise<Uint8Array> {
  const offered = made ? offeredLists(made.lists) : [];
  const sheets: WrittenSheet[] = [
    {
      name: "Invoices",
      columns: TEMPLATE_FIELDS.map((field) => templateColumn(field, offered)),
      rows: SAMPLE_ROWS.map(sampleCells),
      spareRows: 1000,
    },
    {
      name: "Read me",
      wrap: true,
      columns: [
        { header: "Column", width: 18 },
        { header: "Needed", width: 22 },
        { header: "What to write", width: 90 },
      ],
      rows: [
        ...RULES.map((rule) => ["", "", rule]),
        ...TEMPLATE_FIELDS.map((field) => [specOf(field).header, ...EXPLANATIONS[field]]),
      ],
    },
    listsSheet(offered),
  ];
  return writeWorkbook(sheets, { ...templateNames(made), ...rangeNames(offered) });
}

const LISTS_SHEET = "Lists";

/** The version, and beside it a column for each list. */
function listsSheet(offered: readonly OfferedList[]): WrittenSheet {
  const longest = Math.max(1, ...offered.map(({ names }) => names.length));
  return {
    name: LISTS_SHEET,
    state: "veryHidden",
    columns: [{ header: "Template version", text: true }, ...offered.map(({ title }) => ({ header: title }))],
    rows: Array.from({ length: longest }, (_, index) => [
      index === 0 ? TEMPLATE_VERSION : undefined,
      ...offered.map(({ names }) => names[index]),
    ]),
  };
}

const rangeName = ({ title }: OfferedList) => `List_${title}`;

const rangeNames = (offered: readonly OfferedList[]): Record<string, string> =>
  Object.fromEntries(
    offered.map((list, index) => {
      const column = columnName(index + 1);
      return [rangeName(list), `${LISTS_SHEET}!$${column}$2:$${column}$${list.names.length + 1}`];
    }),
  );

/** The template offers no Currency column: it is only read when another program wrote it. */
const TEMPLATE_FIELDS = ALL_FIELDS.filter((field) => field !== "currency");

const WIDTHS: Partial<Record<Field, number>> = {
  customer: 34,
  item: 24,
  description: 36,
  email: 26,
  customerMemo: 30,
  privateNote: 30,
  trackingNo: 24,
};

function templateColumn(field: Field, offered: readonly OfferedList[]): WrittenColumn {
  const own = offered.find((list) => list.field === field);
  const { header, kind } = specOf(field);
  const [needed, explanation] = EXPLANATIONS[field];
  return {
    header,
    width: WIDTHS[field] ?? Math.max(12, header.length + 2),
    note: `${needed}. ${explanation}`,
    text: kind === "code",
    ...(field === "taxable" ? { choices: ["Y", "N"] } : {}),
    ...(own ? { choicesIn: rangeName(own) } : {}),
  };
}

const DATE = (m: number, d: number) => ({ kind: "date", y: 2026, m, d, seconds: 0 }) as const;

type SampleRow = Partial<Record<Field, string | number | ReturnType<typeof DATE>>>;

const SAMPLE_ROWS: readonly SampleRow[] = [
  {
    invoiceNo: "SAMPLE-1",
    customer: SAMPLE_CUSTOMER,
    invoiceDate: DATE(1, 15),
    dueDate: DATE(2, 14),
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
    customer: SAMPLE_CUSTOMER,
    item: "Freight",
    description: "A further line: repeat the Invoice No",
    qty: 1,
    rate: 12.5,
    amount: 12.5,
    taxable: "N",
  },
];

const sampleCells = (row: SampleRow) => TEMPLATE_FIELDS.map((field) => row[field]);

const RULES = [
  "One row is one line of an invoice. Rows with the same Invoice No become one invoice, in any order.",
  "Columns may be moved, and those that are not needed deleted. Columns with other headers are ignored.",
  "Values of the whole invoice (customer, dates, addresses …) stand on its first row; repeating them is fine, different ones are an error.",
  "At most 30,000 rows and 25 MB. Nothing of an invoice is posted while one of its rows has an error.",
  "Delete the two sample rows, or leave them: they are skipped.",
];

const ADDRESS = ["No", "Blank addresses are taken from the customer in QuickBooks."] as const;

const EXPLANATIONS: Record<Field, readonly [string, string]> = {
  invoiceNo: [
    "Yes, or blank",
    "At most 21 characters. Blank: QuickBooks gives the number, and a new invoice starts where the Customer or the Invoice Date changes.",
  ],
  group: ["No", "Puts rows without an Invoice No together: rows with the same Group become one invoice."],
  customer: [
    "Yes, first row",
    "The customer's name as in QuickBooks; a sub-customer as Parent:Child. Customers are never created.",
  ],
  invoiceDate: ["Yes, first row", "A date, for example 2026-01-31."],
  dueDate: ["No", "A date. Blank: QuickBooks works it out from the terms."],
  terms: ["No", "Terms as in QuickBooks, for example Net 30."],
  poNumber: ["No", "The customer's purchase order number, at most 31 characters."],
  item: [
    "Yes, unless a line of text",
    "Name or SKU of the product or service as in QuickBooks; within a category as Category:Item. Items are never created.",
  ],
  description: ["No", "At most 4,000 characters. A row with a Description only is a line of text."],
  qty: ["Two of Qty, Rate, Amount", "A number with at most five decimals."],
  rate: [
    "Two of Qty, Rate, Amount",
    "Price of one, with at most five decimals. Blank with a Qty: the price in QuickBooks.",
  ],
  amount: ["Two of Qty, Rate, Amount", "Qty × Rate to the cent. Alone it is the amount of the line."],
  serviceDate: ["No", "A date."],
  className: ["No", "Class as in QuickBooks; a sub-class as Parent:Child."],
  location: ["No", "Location as in QuickBooks."],
  taxable: ["No", "Y or N. Blank: as the item is set in QuickBooks."],
  shipVia: ["No", "How it is shipped, for example UPS; at most 31 characters."],
  shipDate: ["No", "A date."],
  trackingNo: ["No", "At most 31 characters. UPS numbers are followed by the Tracking Service."],
  billLine1: ADDRESS,
  billLine2: ADDRESS,
  billLine3: ADDRESS,
  billLine4: ADDRESS,
  billCity: ADDRESS,
  billState: ADDRESS,
  billPostalCode: ADDRESS,
  billCountry: ADDRESS,
  shipLine1: ADDRESS,
  shipLine2: ADDRESS,
  shipLine3: ADDRESS,
  shipLine4: ADDRESS,
  shipCity: ADDRESS,
  shipState: ADDRESS,
  shipPostalCode: ADDRESS,
  shipCountry: ADDRESS,
  email: ["No", "Address the invoice may be sent to; at most 100 characters. Nothing is sent by uploading."],
  customerMemo: ["No", "Printed on the invoice, at most 1,000 characters."],
  privateNote: ["No", "For your company only, at most 4,000 characters."],
  currency: ["No", "Must be the customer's currency in QuickBooks."],
};
