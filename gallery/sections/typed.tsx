import * as sheet from "#features/invoices/workbook/contract.ts";
import { ColumnsEditor } from "#features/sheets/web/columns-editor.tsx";
import { DateOrderQuestion } from "#features/sheets/web/failed-file.tsx";
import { rememberedColumnsQuery, rememberedDatesQuery } from "#features/sheets/web/queries.ts";
import { rememberedNamesQuery } from "#features/invoices/web/names/queries.ts";
import { emptyGrid, setCell } from "#features/invoices/web/form/rules.ts";
import { faultKey } from "#features/invoices/web/form/rules-faults.ts";
import type { KeptText } from "#features/invoices/web/form/kept-text.ts";
import { FormCard, RememberedCard } from "#features/invoices/web/lazy-parts.ts";
import { failure } from "../samples.ts";
import { Sample } from "../sample.tsx";
import { acme, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";
import type { CallReply } from "#web/kit/api-client.ts";
import { Card } from "#web/kit/card.tsx";

const words = galleryWords.typed;
const file = new File([""], galleryWords.file, { lastModified: 0 });
/** As the editor asks with nothing answered yet, about a sheet that may be a known export. */
const columnsKey = [
  "columns",
  sheet.readColumns.path,
  acme.id,
  file.name,
  file.size,
  file.lastModified,
  [],
  true,
];

const nothingSent = { keep: leave, readSent: () => null, keepSent: leave };
const typed: KeptText = {
  read: () => ({
    grid: setCell(setCell(emptyGrid(), { row: 0, column: 0 }, "S-1"), { row: 0, column: 1 }, "Acmee"),
    faults: new Map([[faultKey(0, 1), { message: words.fault, text: "Acmee" }]]),
  }),
  ...nothingSent,
};
const untyped: KeptText = { read: () => null, ...nothingSent };

const listRow = (row: string, value: string, amount: string) => [
  { row, texts: [value, "O-1", "Cool Cars", amount].filter(Boolean) },
];

const quiet = { sheets: [], examples: [], reason: null, sum: null, choices: [] };

const columns: CallReply<typeof sheet.readColumns> = {
  sheet: "Sheet1",
  sheets: [],
  overlaps: [],
  for_all: null,
  layout: null,
  date_question: null,
  currency: null,
  totals: [],
  numbers: null,
  row_marks: [
    {
      of: "Financial Status",
      files_like: "Invoice No, Date, Client and 4 more",
      column: "F",
      header: "Financial Status",
      values: [
        {
          value: "paid",
          rows: "4-15",
          count: 12,
          amount: "366.75",
          is_billed: null,
          guess: true,
          examples: [],
          by_sheet: [],
        },
        {
          value: "voided",
          rows: "16",
          count: 1,
          amount: "9.50",
          is_billed: null,
          guess: false,
          examples: listRow("16", "voided", "9.50"),
          by_sheet: [],
        },
        {
          value: "refunded",
          rows: "17",
          count: 1,
          amount: "12.00",
          is_billed: null,
          guess: false,
          examples: listRow("17", "refunded", "12.00"),
          by_sheet: [],
        },
      ],
    },
    {
      of: "layout 1",
      files_like: "Invoice No, Date, Client and 4 more",
      column: null,
      header: "",
      values: [
        {
          value: "hidden",
          rows: "15",
          count: 1,
          amount: "18.00",
          is_billed: null,
          guess: false,
          examples: listRow("15", "", "18.00"),
          by_sheet: [],
        },
      ],
    },
  ],
  header_row: 3,
  columns: [
    { header: "Buyer", column: "A", samples: ["Acme", "Beta"], field: null, guess: "customer", ...quiet },
    { header: "PO", column: "B", samples: ["4711", "4712"], field: "poNumber", guess: null, ...quiet },
    { header: "Color", column: "C", samples: ["red"], field: "ignore", guess: null, ...quiet },
  ],
  fields: [
    { field: "customer", header: "Customer", required: true, unless: [] },
    { field: "poNumber", header: "PO Number", required: false, unless: [] },
  ],
};

const remembered: readonly QuerySeed[] = [
  {
    key: rememberedNamesQuery(acme.id).queryKey,
    data: [{ key: "1", text: "Acmee", meaning: [words.customer, "Acme"], forget: waits }],
  },
  {
    key: rememberedColumnsQuery(sheet, acme.id).queryKey,
    data: [{ key: "1", text: "Buyer", meaning: ["Customer"], forget: waits }],
  },
  {
    key: rememberedDatesQuery(sheet, acme.id).queryKey,
    data: [{ key: "1", text: words.dates, meaning: [words.dateOrder], forget: waits }],
  },
];
const nothingRemembered = remembered.map(({ key }) => ({ key, data: [] }));

/** The form, the column matching, and saved choices. */
export function TypedSection() {
  return (
    <>
      {[untyped, typed].map((kept) => (
        <Sample key={String(kept === typed)} name={kept === typed ? words.faulty : words.empty}>
          <Stage>
            <FormCard company={acme} kept={kept} onCheck={leave} onFile={leave} />
          </Stage>
        </Sample>
      ))}
      {(
        [
          { name: words.columnsLoading, seeds: { key: columnsKey, isFetching: true } },
          { name: words.columnsFailed, seeds: { key: columnsKey, error: failure } },
          { name: words.columns, seeds: { key: columnsKey, data: columns } },
        ] as const
      ).map(({ name, seeds }) => (
        <Sample key={name} name={name}>
          <Stage seeds={[seeds]}>
            <Card title={words.columnsTitle}>
              <ColumnsEditor endpoints={sheet} realmId={acme.id} file={file} onSaved={leave} />
            </Card>
          </Stage>
        </Sample>
      ))}
      <Sample name={words.dateOrderAsked}>
        <Stage>
          <Card title={words.dates}>
            <DateOrderQuestion
              endpoints={sheet}
              realmId={acme.id}
              question="Is 03/04/2026 in C2 March 4 or April 3? We couldn't tell from this file."
              onSaved={leave}
            />
          </Card>
        </Stage>
      </Sample>
      {[nothingRemembered, remembered].map((seeds) => (
        <Sample
          key={String(seeds === remembered)}
          name={seeds === remembered ? words.remembered : words.nothing}
        >
          <Stage seeds={seeds}>
            <RememberedCard realmId={acme.id} onClose={leave} />
          </Stage>
        </Sample>
      ))}
    </>
  );
}

function leave() {}

function waits() {
  return new Promise(() => undefined);
}
