import { CODE128_TEXT, encodeCode128 } from "#formats/gs1/code128.ts";
import { countModules, QUIET_MODULES } from "#formats/gs1/bar-code.ts";
import {
  modulePoints,
  toDots,
  type DrawnRule,
  type DrawnSymbol,
  type DrawnText,
} from "#formats/label/drawing.ts";
import { wrapText } from "#formats/label/wrap-text.ts";
import type { FontFile } from "#formats/pdf/fonts.ts";
import { writePdf, type PlacedLabel } from "#formats/pdf/write-pdf.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { placeText } from "#features/orders/rules.ts";
import type { Pieces } from "#features/orders/rules-shipped.ts";
import type { Order, OrderLine } from "#features/orders/types.ts";

/** A packing slip: the retailer is the seller, since the consumer bought there; prices are never on it. */
export type Slip = {
  order: Order;
  partner: Partner;
  retailer: string;
  /** "UPS Ground" */
  method: string;
  /**
   * Contents of each carton, null if they aren't known; none while there are no labels. Each carton has a slip of its own, on which
   * "Shipped" is what is in it.
   */
  cartons: readonly (readonly Pieces[] | null)[];
  /** "Shipped" where a carton's contents aren't known, or there is none. */
  lines: readonly Pieces[];
  /** `label` is the 4 by 6 inches of a label printer. */
  paper: "letter" | "label";
};

/** Height of a line on letter paper. */
const LINE = 13;
/** Bars of a third of a millimeter: phones and laser scanners read them, and a PO number of 35 characters fits the page. */
const RESOLUTION = { dotsPerInch: 300, moduleDots: 4 };

/** A line of an order, and how much of it the slip's carton holds. */
type SlipLine = OrderLine & { shipped: string };
type Column = { title: string; x: number; width: number; isRight?: true; read(line: SlipLine): string };

const withUnit = (quantity: string, { unit }: OrderLine) => `${quantity} ${unit}`.trim();
const readOrdered = (line: SlipLine) => withUnit(line.quantity, line);
const readShipped = (line: SlipLine) => withUnit(line.shipped, line);

/** Places of things on a paper, in points that are scaled when they are printed. */
type Layout = {
  page: { width: number; height: number };
  margin: number;
  columns: readonly Column[];
  /** Printed points a point; bars are not scaled. */
  scale: number;
  /** Where the facts are beside the address; null if they are below it. */
  factsAt: number | null;
};

const LAYOUTS: Record<Slip["paper"], Layout> = {
  letter: {
    page: { width: 612, height: 792 },
    margin: 48,
    columns: [
      { title: "Line", x: 48, width: 30, read: ({ line }) => line },
      { title: "SKU", x: 82, width: 78, read: ({ buyerSku }) => buyerSku },
      { title: "Vendor SKU", x: 164, width: 82, read: ({ vendorSku }) => vendorSku },
      { title: "Description", x: 250, width: 204, read: ({ description }) => description },
      { title: "Ordered", x: 508, width: 50, isRight: true, read: readOrdered },
      { title: "Shipped", x: 564, width: 50, isRight: true, read: readShipped },
    ],
    scale: 1,
    factsAt: 330,
  },
  label: {
    page: { width: 384, height: 576 },
    margin: 20,
    columns: [
      { title: "SKU", x: 20, width: 84, read: ({ buyerSku }) => buyerSku },
      {
        title: "Description",
        x: 110,
        width: 190,
        read: ({ description, vendorSku }) => (vendorSku ? `${description} (${vendorSku})` : description),
      },
      { title: "Shipped", x: 364, width: 58, isRight: true, read: readShipped },
    ],
    scale: 0.75,
    factsAt: null,
  },
};

const findRight = ({ page, margin }: Layout) => page.width - margin;
/** Below is only the page's number. */
const findBottom = ({ page, margin }: Layout) => page.height - margin - 24;

/** Marks of one page while it is drawn; `y` is the next baseline. */
type Page = { layout: Layout; texts: DrawnText[]; rules: DrawnRule[]; symbols: DrawnSymbol[]; y: number };

/** Writes the packing slips of an order: one for each carton, with as many pages as its lines need. Same order, same bytes. */
export async function writeSlip(slip: Slip, fontFile: FontFile): Promise<Buffer> {
  const pages: Page[] = [];
  for (let carton = 1; carton <= Math.max(1, slip.cartons.length); carton += 1)
    pages.push(...drawCarton(slip, carton));
  async function* placed(): AsyncGenerator<readonly PlacedLabel[]> {
    for (const page of pages) yield [{ common: NOTHING, own: scale(page), leftDots: 0, topDots: 0 }];
  }
  const chunks: Buffer[] = [];
  const layout = LAYOUTS[slip.paper];
  const page = { width: layout.page.width * layout.scale, height: layout.page.height * layout.scale };
  const document = {
    title: `Packing slip ${slip.order.poNumber}`,
    resolution: RESOLUTION,
    page,
    label: page,
  };
  for await (const chunk of writePdf({ ...document, pages: placed(), fontFile })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The marks of a page as they are printed. */
const scale = ({ layout: { scale: by }, texts, rules, symbols }: Page) => ({
  texts: texts.map((text) => ({ ...text, x: text.x * by, y: text.y * by, size: text.size * by })),
  rules: rules.map(({ x, y, width, height }) => ({
    x: x * by,
    y: y * by,
    width: width * by,
    height: height * by,
  })),
  symbols: symbols.map((symbol) => ({ ...symbol, y: symbol.y * by, height: symbol.height * by })),
});

/** Shared by all pages: one object, as the writer compares them. */
const NOTHING = { texts: [], rules: [], symbols: [] };

/** The lines of a carton. */
function listLines({ order, cartons, lines }: Slip, carton: number): SlipLine[] {
  const contents = cartons[carton - 1] ?? lines;
  return order.lines.flatMap((line) => {
    const packed = contents.find((content) => content.line === line.line);
    return packed ? [{ ...line, shipped: packed.quantity }] : [];
  });
}

function drawCarton(slip: Slip, carton: number): Page[] {
  const { order, partner } = slip;
  const layout = LAYOUTS[slip.paper];
  const { columns } = layout;
  const bottom = findBottom(layout);
  const pages: Page[] = [];
  let page = openPage(pages, layout);
  drawHead(page, slip, carton);
  drawTableHead(page);
  for (const line of listLines(slip, carton)) {
    const cells = columns.map((column) => wrapText(column.read(line), 9, column.width));
    const height = Math.max(...cells.map((texts) => texts.length)) * LINE + 4;
    if (page.y + height > bottom) {
      page = openPage(pages, layout);
      write(page, `${slip.retailer}, PO # ${order.poNumber}`, { isBold: true });
      page.y += LINE;
      drawTableHead(page);
    }
    for (const [at, texts] of cells.entries()) {
      const column = columns[at];
      for (const [row, text] of texts.entries())
        page.texts.push(
          drawn(text, column?.x ?? 0, page.y + row * LINE, { size: 9, isRight: column?.isRight }),
        );
    }
    page.y += height;
  }
  const notes: [string, string][] = [
    ["Gift message", order.giftMessage],
    ["Message", order.vendorMessage],
    ["", partner.slip.thanks],
    ["", partner.slip.footer],
  ];
  for (const [title, text] of notes) {
    const texts = text.split("\n").flatMap((line) => wrapText(line, 10, findRight(layout) - layout.margin));
    if (text === "") continue;
    if (page.y + (texts.length + 2) * LINE > bottom) page = openPage(pages, layout);
    page.y += LINE;
    if (title !== "") write(page, title, { isBold: true });
    for (const paragraph of texts) write(page, paragraph);
  }
  for (const [at, each] of pages.entries())
    each.texts.push(
      drawn(`Page ${at + 1} of ${pages.length}`, findRight(layout), layout.page.height - layout.margin, {
        size: 9,
        isRight: true,
      }),
    );
  return pages;
}

function openPage(pages: Page[], layout: Layout): Page {
  const page: Page = { layout, texts: [], rules: [], symbols: [], y: layout.margin + 18 };
  pages.push(page);
  return page;
}

function drawHead(page: Page, { order, retailer, method, cartons }: Slip, carton: number): void {
  const { margin, factsAt } = page.layout;
  const right = findRight(page.layout);
  page.texts.push(drawn(retailer, margin, page.y, { size: 20, isBold: true }));
  page.texts.push(drawn("Packing slip", right, page.y, { size: 14, isRight: true }));
  page.rules.push({ x: margin, y: page.y + 10, width: right - margin, height: 1.2 });
  page.y += 34;
  const { shipTo } = order;
  const address = [shipTo.name, shipTo.attention, ...shipTo.lines, placeText(shipTo)].filter(Boolean);
  const facts: [string, string][] = [
    ["PO number", order.poNumber],
    ["Customer order", order.customerOrder],
    ["Order date", order.orderDate ? dayText(order.orderDate) : ""],
    ["Ship method", method],
    ["Carton", cartons.length > 0 ? `${carton} of ${cartons.length}` : ""],
  ];
  const top = page.y;
  write(page, "Ship to", { isBold: true });
  for (const part of address) for (const text of wrapText(part, 11, 250)) write(page, text, { size: 11 });
  const bottom = page.y;
  page.y = factsAt === null ? bottom + 6 : top;
  const left = factsAt ?? margin;
  for (const [title, value] of facts.filter(([, each]) => each !== "")) {
    page.texts.push(drawn(title, left, page.y, { size: 10 }));
    for (const text of wrapText(value, 10, right - left - 94)) {
      page.texts.push(drawn(text, left + 94, page.y, { size: 10, isBold: true }));
      page.y += LINE;
    }
  }
  page.y = Math.max(page.y, bottom) + 6;
  drawCodes(page, [
    ["PO number", order.poNumber],
    ["Customer order", order.customerOrder],
  ]);
  page.y += 10;
}

/** Codes side by side where both fit, else one below the other; one that is wider than the paper is left to its text. */
function drawCodes(page: Page, codes: readonly [string, string][]): void {
  const { margin, page: paper, scale: by } = page.layout;
  const space = findRight(page.layout) - margin;
  const quiet = (QUIET_MODULES * modulePoints(RESOLUTION)) / by;
  const width = (value: string) =>
    (countModules(encodeCode128(value)) * modulePoints(RESOLUTION)) / by + 2 * quiet;
  const shown = codes.filter(
    ([, value]) => value !== "" && CODE128_TEXT.test(value) && width(value) <= space,
  );
  const areBeside = shown.every(([, value]) => width(value) <= space / 2);
  for (const [at, [title, value]] of shown.entries()) {
    const left = areBeside && at === 1 ? paper.width / 2 : margin;
    const leftDots = toDots(left * by, RESOLUTION) + QUIET_MODULES * RESOLUTION.moduleDots;
    page.symbols.push({ ...encodeCode128(value), leftDots, y: page.y, height: 36 });
    page.texts.push(drawn(`${title} ${value}`, left + quiet, page.y + 48, { size: 9 }));
    if (!areBeside || at === shown.length - 1) page.y += 64;
  }
}

function drawTableHead(page: Page): void {
  const { columns, margin } = page.layout;
  for (const { title, x, isRight } of columns)
    page.texts.push(drawn(title, x, page.y, { size: 9, isBold: true, isRight }));
  page.rules.push({ x: margin, y: page.y + 5, width: findRight(page.layout) - margin, height: 0.8 });
  page.y += LINE + 6;
}

type Style = { size?: number; isBold?: boolean; isRight?: boolean | undefined };

function write(page: Page, text: string, style: Style = {}): void {
  page.texts.push(drawn(text, page.layout.margin, page.y, style));
  page.y += LINE + (style.size && style.size > 10 ? 1 : 0);
}

const drawn = (
  text: string,
  x: number,
  y: number,
  { size = 10, isBold = false, isRight = false }: Style,
): DrawnText => ({
  text,
  x,
  y,
  size,
  isBold,
  align: isRight ? "right" : "left",
  stretch: 1,
});

/** "Nov 26, 2026" */
const dayText = (day: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );
