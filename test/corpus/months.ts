import { buildXlsx, type CellSpec, type MadeSheet } from "../../src/formats/xlsx/fixtures/build-xlsx.ts";
import { type Random, createRandom } from "./random.ts";

/** A column of a made sheet: its header, and a cell by the row and the order it is of. */
/** A column of a generated sheet: its header, and its cell by row and order. */
type ColumnSpec = { header: string; cell: (random: Random, row: number, order: number) => CellSpec };

const words =
  (header: string, values: readonly CellSpec[]): (() => ColumnSpec) =>
  () => ({ header, cell: (random) => random.pick(values) });
const coded =
  (header: string, prefix: string): (() => ColumnSpec) =>
  () => ({ header, cell: (_, row, order) => `${prefix}${order}${row % 2}` });

const day = (order: number) => `2026-11-${10 + order}`;

/** Ways to write the day of an order. */
const DATES: readonly (() => ColumnSpec)[] = [
  () => ({ header: "Order Date", cell: (_, row, order) => `${day(order % 2)} 1${row % 3}:15` }),
  () => ({ header: "Order Date", cell: (_, _row, order) => day(order % 2) }),
  () => ({ header: "When", cell: (_, _row, order) => day(order % 2) }),
  () => ({
    header: "Date",
    cell: (random, _row, order) => `${random.pick(["03", "03", "25"])}/0${1 + (order % 3)}/2026`,
  }),
];

/** Columns that may be asked about, for whatever reason. */
const FURTHER: readonly (() => ColumnSpec)[] = [
  coded("Doc", "D-"),
  coded("Ref", "R-"),
  coded("Order No", "O-"),
  coded("Ticket", "T-"),
  () => ({ header: "From", cell: (_, row) => `${9 + (row % 4)}:05` }),
  () => ({ header: "To", cell: (_, row) => `${10 + (row % 4)}:05` }),
  () => ({ header: "Placed", cell: (_, row) => `2026-11-20 1${row % 3}:30` }),
  words("Surcharge", [null, 0, 2, 3.5]),
  words("Rebate", [null, 1]),
  words("Discount", [null, 5, 10]),
  words("Shipping", [null, 4, 6]),
  words("Freight", [null, 4, 6]),
  words("Extended", [5, 6, 7]),
  words("Pcs", [1, 2, 3]),
  words("Weight", [1, 2, 3]),
  words("Stage", ["Paid", "Void", "Paid", null]),
  words("Flag", ["x", null, null]),
  words("Billable", ["Yes", "No", null]),
  words("Approved by", ["Ann", null, "Ann"]),
  words("Invoiced on", ["2026-10-01", null, null]),
  words("Rev", ["A", "B"]),
  words("Note", ["VOID - twice", "thanks", null]),
  words("Curr.", ["USD", "CAD"]),
  words("Status", ["Paid", "on tour", "Cancelled"]),
  words("Type", ["Invoice", "Credit Memo"]),
  words("Unit", ["ea", "M"]),
];

const AMOUNTS: readonly (readonly ColumnSpec[])[] = [
  [{ header: "Amount", cell: (random) => 10 + random.upTo(3) }],
  [
    { header: "Rate", cell: () => 5 },
    { header: "Amount", cell: (random) => 5 * (1 + random.upTo(2)) },
  ],
  [
    { header: "Qty", cell: () => 2 },
    { header: "Rate", cell: () => 5 },
  ],
];

/** The same workbook for the same seed: up to three sheets, with mostly the same columns. */
export function makeMonths(seed: number): { fileName: string; bytes: Uint8Array } {
  const random = createRandom(seed);
  const further = FURTHER.filter(() => random.chance(0.14)).map((make) => make());
  const [date, amounts] = [random.pick(DATES)(), random.pick(AMOUNTS)];
  const base: ColumnSpec[] = [
    ...(random.chance(0.3) ? [{ header: "Invoice No", cell: numbered }] : []),
    { header: "Customer", cell: (_, _row, order) => ["Cool Cars", "Amy's Bird Sanctuary"][order % 2] },
    date,
    { header: "Item", cell: (each) => each.pick(["Claw Hammer", "Claw Hammer", "Freight"]) },
    ...amounts,
  ];
  const sheets = ["March", "April", "May"].slice(0, 1 + random.upTo(2)).map((name, at): MadeSheet => {
    const columns = [...base, ...further.filter(() => random.chance(0.7))];
    const isPlain = random.chance(0.4);
    const rows = Array.from({ length: 2 + random.upTo(4) }, (_, row) => {
      const order = random.upTo(2) + (random.chance(0.1) ? 0 : 3 * at);
      return columns.map((column) => {
        const cell = column.cell(random, row + 7 * at, order);
        // A month without times.
        return column === date && isPlain && typeof cell === "string" ? cell.slice(0, 10) : cell;
      });
    });
    return { name, rows: [columns.map(({ header }) => header), ...rows] };
  });
  return { fileName: `months-${seed}.xlsx`, bytes: buildXlsx({ sheets }) };
}

const numbered: ColumnSpec["cell"] = (_, _row, order) => `N-${order}`;
