import { countModules } from "#formats/gs1/bar-code.ts";
import { encodeGs1 } from "#formats/gs1/code128.ts";
import {
  LABEL_SIZE,
  modulePoints,
  RESOLUTIONS,
  toDots,
  toPoints,
  type Drawing,
  type DrawnRule,
  type DrawnText,
  type ResolutionName,
} from "#formats/label/drawing.ts";

const INCH = 72;
const LEFT = 24;
const RULER_INCHES = 3;

/** Letters of Polish, Greek and Cyrillic: in ZPL each printer prints those of its own font. */
const RARE_LETTERS = "Read: Łódź, Αθήνα, Київ. If not, print PDFs.";

const NAMES = Object.keys(RESOLUTIONS) as ResolutionName[];

/** Stripe width in dots: stripes drawn for one resolution print unevenly on a printer with a lower one. */
const STRIPE_DOTS: Readonly<Record<ResolutionName, number>> = { "203": 3, "300": 2, "600": 3 };
/** Same as for barcodes: a filled shape prints every dot it touches. */
const INSET_DOTS = 0.1;

/**
 * Draws a page that shows by eye whether a printer scales, and its resolution: a frame, a ruler, stripes for
 * each resolution and a barcode. On printers that receive bitmaps, the ruler shows a wrong resolution.
 */
export function drawTestPage(set: ResolutionName, kind: "pdf" | "zpl"): Drawing {
  const stripes = kind === "pdf" ? drawStripes(172) : drawLengths(set, 172);
  const symbol = drawSymbol(set, 306);
  return {
    texts: [
      at("Test page", 40, { size: 16, isBold: true }),
      at(`Label settings: ${set} dpi. Print at 100%, or “Actual size”.`, 54),
      at("The frame shows on all four sides.", 66),
      ...step("1", `Measure: from 0 to ${RULER_INCHES} is exactly 3 in (76.2 mm).`, 90),
      at("Longer or shorter: the print dialog scales. Turn that off.", 140),
      ...rulerTexts(116),
      ...stripes.texts,
      ...step("3", "Scan the barcode: (91) TEST", 296),
      ...(kind === "zpl" ? step("4", RARE_LETTERS, 362) : []),
    ],
    rules: [...frame(), ...ruler(104), ...stripes.rules],
    symbols: [symbol],
  };
}

const at = (
  text: string,
  y: number,
  { x = LEFT, size = 8.5, isBold = false }: Partial<DrawnText> = {},
): DrawnText => ({ text, x, y, size, isBold, align: "left", stretch: 1 });

const step = (number: string, text: string, y: number): DrawnText[] => [
  at(number, y, { size: 10, isBold: true }),
  at(text, y, { x: LEFT + 12, size: 10 }),
];

/** Draws a frame an eighth of an inch from the edges of the shortest label. */
function frame(): DrawnRule[] {
  const [edge, thick, height] = [9, 1.5, 360];
  const width = LABEL_SIZE.width - 2 * edge;
  return [
    { x: edge, y: edge, width, height: thick },
    { x: edge, y: edge + height - thick, width, height: thick },
    { x: edge, y: edge, width: thick, height },
    { x: edge + width - thick, y: edge, width: thick, height },
  ];
}

function ruler(y: number): DrawnRule[] {
  const marks = Array.from({ length: RULER_INCHES * 8 + 1 }, (_, mark) => ({
    x: LEFT + (mark * INCH) / 8,
    y,
    width: 0.72,
    height: mark % 8 === 0 ? 16 : mark % 4 === 0 ? 11 : 7,
  }));
  return [{ x: LEFT, y, width: RULER_INCHES * INCH, height: 0.72 }, ...marks];
}

const rulerTexts = (y: number): DrawnText[] =>
  Array.from({ length: RULER_INCHES + 1 }, (_, inch) =>
    at(String(inch), y + 14, { x: LEFT + inch * INCH - 2 }),
  );

type Part = { texts: DrawnText[]; rules: DrawnRule[] };

/**
 * Draws stripes of whole dots at each resolution: a finer printer prints them evenly, a coarser one cannot.
 */
function drawStripes(y: number): Part {
  const [width, height] = [72, 60];
  const rules = NAMES.flatMap((name, place) => {
    const printer = RESOLUTIONS[name];
    const dots = STRIPE_DOTS[name];
    const left = toDots(LEFT + place * 84, printer);
    const count = Math.floor(toDots(width, printer) / (2 * dots));
    return Array.from({ length: count }, (_, stripe) => ({
      x: toPoints(left + 2 * dots * stripe + INSET_DOTS, printer),
      y: y + 8,
      width: toPoints(dots - 2 * INSET_DOTS, printer),
      height,
    }));
  });
  return {
    rules,
    texts: [
      ...step("2", "Find the last field whose stripes are all even.", y),
      ...NAMES.map((name, place) => at(`${name} dpi`, y + 80, { x: LEFT + place * 84, isBold: true })),
      at("It is your printer's resolution. None is even: something scales.", y + 94),
    ],
  };
}

/** Draws the ruler's printed length for each other resolution of the printer. */
function drawLengths(set: ResolutionName, y: number): Part {
  const others = NAMES.filter((name) => name !== set).map((name) => {
    const inches = (RULER_INCHES * RESOLUTIONS[set].dotsPerInch) / RESOLUTIONS[name].dotsPerInch;
    return `${inches.toFixed(1)} in: it has ${name} dpi`;
  });
  const lines = [`3.0 in: it has ${set} dpi, as set`, ...others];
  return {
    rules: [],
    texts: [
      ...step("2", "The ruler's length tells what your printer has.", y),
      ...lines.map((text, place) => at(text, y + 20 + 14 * place, { x: LEFT + 12, size: 10 })),
    ],
  };
}

function drawSymbol(set: ResolutionName, y: number): Drawing["symbols"][number] {
  const printer = RESOLUTIONS[set];
  const barCode = encodeGs1("91TEST");
  const width = countModules(barCode) * modulePoints(printer);
  return { ...barCode, leftDots: toDots((LABEL_SIZE.width - width) / 2, printer), y, height: 44 };
}
