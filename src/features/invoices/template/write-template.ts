import { columnName } from "#formats/xlsx/cell-names.ts";
import { writeWorkbook, type WrittenColumn, type WrittenSheet } from "#formats/xlsx/write-workbook.ts";
import {
  fieldHeader,
  invoiceSheet,
  ruleOf,
  SAMPLE_CUSTOMER,
  type Field,
} from "#features/invoices/workbook/rules-sheet.ts";
import type { BooksLists } from "#features/books/reading.ts";
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
        ...TEMPLATE_FIELDS.map((field) => [fieldHeader(field), ...explanationOf(field)]),
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

const TEMPLATE_FIELDS = invoiceSheet.names.filter((field) => ruleOf(field).offered !== false);

function templateColumn(field: Field, offered: readonly OfferedList[]): WrittenColumn {
  const own = offered.find((list) => list.field === field);
  const { header, type, width } = ruleOf(field);
  const [needed, explanation] = explanationOf(field);
  return {
    header,
    width: width ?? Math.max(12, header.length + 2),
    note: `${needed}. ${explanation}`,
    text: type === "code",
    ...(type === "yesno" ? { choices: ["Y", "N"] } : {}),
    ...(own ? { choicesIn: rangeName(own) } : {}),
  };
}

const explanationOf = (field: Field) => ruleOf(field).explanation ?? ["", ""];

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
