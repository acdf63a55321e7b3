import { expect, test } from "vitest";
import { checkDigit } from "#formats/gs1/check-digit.ts";
import { countModules } from "#formats/gs1/bar-code.ts";
import { encodeGs1 } from "#formats/gs1/code128.ts";
import { decodeCode128 } from "#formats/gs1/decode.ts";
import {
  LABEL_SIZE,
  moduleMm,
  modulePoints,
  pointsToMm,
  RESOLUTIONS,
  toPoints,
  type DrawnLabel,
  type DrawnSymbol,
  type DrawnText,
  type Resolution,
} from "#formats/label/drawing.ts";
import { measureText } from "#formats/label/measure-text.ts";
import { createLayout } from "#features/labels/layout/draw.ts";
import { generic } from "#features/labels/profiles/generic-profiles.ts";
import { PROFILES } from "#features/labels/profiles/profiles.ts";
import { SAMPLE_FROM, SAMPLE_PREFIX, sampleCarton } from "#features/labels/fixtures/sample-row.ts";
import { PAGES } from "#features/labels/layout/pages.ts";
import type { Band, LabelRow, Profile } from "#features/labels/types.ts";

const PRINTERS = Object.values(RESOLUTIONS);
const QUARTER = PAGES["letter-4"].label.height;

const makeCarton = (change: Partial<LabelRow> = {}, country: "US" | "CA" = "US") => {
  const carton = sampleCarton(country, null);
  return { ...carton, row: { ...carton.row, ...change } };
};

const drawn = (
  change: Partial<LabelRow> = {},
  { country = "US", printer = RESOLUTIONS["203"], profile = generic, height = LABEL_SIZE.height }: How = {},
): DrawnLabel =>
  createLayout(profile, printer, height).draw(makeCarton(change, country), {
    from: SAMPLE_FROM,
    prefix: SAMPLE_PREFIX,
  });
type How = {
  country?: "US" | "CA";
  printer?: Resolution;
  profile?: Profile;
  height?: number;
};

const allTexts = ({ common, own }: DrawnLabel): DrawnText[] => [...common.texts, ...own.texts];
const listTexts = (label: DrawnLabel): string[] => allTexts(label).map(({ text }) => text);
const find = (label: DrawnLabel, text: string): DrawnText =>
  allTexts(label).find((each) => each.text === text) ?? expect.unreachable(`No text ${text}`);
const listData = (label: DrawnLabel) => label.own.symbols.map(({ words }) => decodeCode128(words)?.data);
const findSymbol = (label: DrawnLabel, ai: string): DrawnSymbol =>
  label.own.symbols.find(({ words }) => decodeCode128(words)?.data.startsWith(ai)) ?? expect.unreachable();
const heightMm = ({ height }: DrawnSymbol) => pointsToMm(height);
/** Left edge and width of the bars in millimeters. */
const across = ({ leftDots, ...barCode }: DrawnSymbol, printer: Resolution) => ({
  left: pointsToMm(toPoints(leftDots, printer)),
  width: countModules(barCode) * moduleMm(printer),
});

const MARKED = drawn();
const ABROAD = drawn({}, { country: "CA" });

/** Content of US retail carton labels by zone, and GS1's rules for it. */
const POINTS: Record<string, () => void> = {
  "the label is 4 × 6 in": () => {
    expect([LABEL_SIZE.width / 72, LABEL_SIZE.height / 72]).toEqual([4, 6]);
  },
  "A: ship from, name and address": () => {
    expect(listTexts(MARKED)).toEqual(
      expect.arrayContaining(["SHIP FROM", "Acme Tools", "1200 Harbor Way", "Oakland, CA 94607"]),
    );
  },
  "B: ship to, name, address, city, state and ZIP, and the country outside the US": () => {
    const lines = ["SHIP TO", "Hearth Supply DC 12", "500 Commerce Dr", "Dock 4", "Reno, NV 89506"];
    expect(listTexts(MARKED)).toEqual(expect.arrayContaining(lines));
    expect(listTexts(ABROAD)).toEqual(expect.arrayContaining(["Ottawa, ON K1A 0B1", "CA"]));
    expect(listTexts(MARKED)).not.toContain("US");
  },
  "C: SHIP TO POST, (420) with the first five digits within the US": () => {
    expect(listTexts(MARKED)).toContain("SHIP TO POST");
    expect(listData(drawn({ postalCode: "89506-1234" }))[0]).toBe("42089506");
    expect(listTexts(MARKED)).toContain("(420) 89506");
  },
  "C: (421) with the country's three digits and no space elsewhere": () => {
    expect(listData(ABROAD)[0]).toBe("421124K1A0B1");
  },
  "D: carrier, PRO or a package's tracking number, B/L and trailer": () => {
    const carriers = ["CARRIER", "UPS Ground", "PRO", "20447182", "B/L", "1100583", "Trailer", "T-4471"];
    for (const label of [MARKED, ABROAD]) expect(listTexts(label)).toEqual(expect.arrayContaining(carriers));
    expect(listTexts(drawn({ pro: "1Z999AA10123456784" }))).toContain("1Z999AA10123456784");
  },
  "D: (402) where a profile has it": () => {
    const bol = `0614141123456789${checkDigit("0614141123456789")}`;
    const label = drawn({ bol }, { profile: withBand("D", { of: "bol", height: 37 }) });
    expect(listData(label)).toContain(`402${bol}`);
    expect(listTexts(label)).toContain(`(402) ${bol}`);
  },
  "E: PO, department, vendor, item, UPC, model, description, quantity, carton n of m": () => {
    const order = ["PO", "8841203", "Item", "1004-118", "UPC", "061414100038", "Model", "CH-16"];
    const counts = [
      "Claw Hammer 16 oz",
      "Carton",
      "17 of 48",
      "Qty",
      "24",
      "Dept",
      "027",
      "Vendor",
      "104416",
    ];
    expect(listTexts(MARKED)).toEqual(expect.arrayContaining([...order, ...counts]));
    expect(listTexts(drawn({ item: "MIXED" }))).toContain("MIXED");
  },
  "E: a 22-character PO fits on one line": () => {
    expect(listTexts(drawn({ poNumber: "8841203000000000000022" }))).toContain("8841203000000000000022");
  },
  "E: (400) where a profile has it": () => {
    const label = drawn({}, { profile: withBand("E", { of: "poNumber", height: 37 }) });
    expect(listData(label)).toContain("4008841203");
  },
  "G: FOR, (91) with the store's number": () => {
    expect([listTexts(MARKED).includes("FOR"), listData(MARKED)[1]]).toEqual([true, "910412"]);
  },
  "H: MARK FOR in 30 points": () => {
    expect(listTexts(MARKED)).toContain("MARK FOR");
    expect(find(MARKED, "0412").size).toBe(30);
  },
  "G and H: left out where no store is named": () => {
    const label = drawn({ markFor: "" });
    expect(listTexts(label)).not.toEqual(expect.arrayContaining(["FOR"]));
    expect(listData(label)).toHaveLength(2);
  },
  "I: SSCC-18, (00) with 18 digits, the lowest of the barcodes": () => {
    const last = listData(MARKED).at(-1) ?? "";
    expect(last).toMatch(/^00\d{18}$/);
    expect(checkDigit(last.slice(2, -1))).toBe(Number(last.at(-1)));
    const tops = MARKED.own.symbols.map(({ y }) => y);
    expect(tops.at(-1)).toBe(Math.max(...tops));
    expect(listTexts(MARKED)).toContain("SSCC-18");
  },
  "the SSCC's symbol is start C, FNC1 and 156 modules, 176 with its quiet zones": () => {
    const symbol = findSymbol(MARKED, "00");
    expect([symbol.words.slice(0, 2), countModules(symbol)]).toEqual([[105, 102], 156]);
  },
  "X is 0.500 mm at 203 dpi and 0.508 mm at 300 and 600 dpi, between 0.495 and 0.940 mm": () => {
    expect(PRINTERS.map((each) => Number(moduleMm(each).toFixed(3)))).toEqual([0.5, 0.508, 0.508]);
  },
  "the SSCC's bars are 31.75 mm high or more, all others 12.7 mm or more": () => {
    for (const label of [MARKED, ABROAD])
      for (const symbol of label.own.symbols)
        expect(heightMm(symbol)).toBeGreaterThanOrEqual(symbol === findSymbol(label, "00") ? 31.75 : 12.7);
  },
  "a quiet zone of ten modules on both sides of every barcode, on every printer": () => {
    for (const printer of PRINTERS)
      for (const country of ["US", "CA"] as const)
        for (const symbol of drawn({}, { country, printer }).own.symbols) {
          const { left, width } = across(symbol, printer);
          const quiet = 10 * moduleMm(printer) - 0.001;
          expect(left).toBeGreaterThanOrEqual(quiet);
          expect(pointsToMm(LABEL_SIZE.width) - left - width).toBeGreaterThanOrEqual(quiet);
        }
  },
  "below every barcode are its identifier in parentheses and its data": () => {
    for (const label of [MARKED, ABROAD])
      for (const symbol of label.own.symbols) {
        const plain = decodeCode128(symbol.words)?.data ?? "";
        const below = allTexts(label).filter(({ text }) => text.startsWith("("));
        const text = below.find((each) => each.text.replaceAll(/[() ]/g, "") === plain);
        expect(text?.y).toBeGreaterThan(symbol.y + symbol.height);
      }
  },
  "zones follow each other from A to I": () => {
    const titles = ["SHIP FROM", "SHIP TO POST", "FOR", "SSCC-18"];
    for (const label of [MARKED, ABROAD]) {
      const tops = titles.map((title) => find(label, title).y);
      expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    }
  },
  "widths are those that GS1's tables give: 90 modules for five digits, 99 and 121 for a store number with its quiet zones":
    () => {
      const modules = (data: string) => countModules(encodeGs1(data));
      expect([modules("42089506"), modules("910412") + 20, modules("9104123456") + 20]).toEqual([
        90, 99, 121,
      ]);
    },
  "a barcode too wide for its zone is refused, never narrowed": () => {
    const { findSymbolFaults } = createLayout(generic, RESOLUTIONS["203"]);
    expect(findSymbolFaults(makeCarton({ markFor: "123456789012" }).row)).toMatchObject([
      { field: "markFor", widthMm: expect.closeTo(71.5) as number },
    ]);
  },
};

test.each(Object.keys(POINTS))("the generic label: %s", (point) => POINTS[point]?.());

/** The generic profile with one more barcode in a row of its own. */
function withBand(letter: "D" | "E", symbol: { of: "bol" | "poNumber"; height: number }): Profile {
  const added: Band = { height: 60, zones: [{ letter, width: 288, title: "", symbol }] };
  const last = generic.bands.findLastIndex(({ zones }) => zones.some((zone) => zone.letter === letter));
  const bands = [...generic.bands.slice(0, last + 1), added, ...generic.bands.slice(last + 1)];
  return { ...generic, bands: bands.filter(({ when }) => when !== "markFor") };
}

const LONG = {
  shipToName: "Hearth Supply Distribution Center 1",
  address1: "12345 Northwest Industrial Parkway",
  address2: "Building 7, Dock 44",
  carrier: "Old Dominion Freight Line",
  pro: "1Z999AA10123456784",
  description: "Claw Hammer 16 oz with fiberglass handle",
  markFor: "12345678",
};

/** Profiles without optional barcodes, which leave less room for text. */
const PROFILES_WITHOUT_OPTIONAL_BARCODES = PROFILES.filter(
  ({ bands }) => !bands.some(({ zones }) => zones[0]?.letter === "F"),
);

test.each(PROFILES_WITHOUT_OPTIONAL_BARCODES.map((profile) => [profile.name, profile] as const))(
  "%s wraps long text onto more lines, at its normal size and width, within the label",
  (_, profile) => {
    const label = drawn(LONG, { profile });
    expect(allTexts(label).filter(({ stretch }) => stretch !== 1)).toEqual([]);
    expect(find(label, "12345 Northwest Industrial").size).toBe(9);
    expect(listTexts(label)).toEqual(expect.arrayContaining(["Parkway", "Old Dominion Freight", "Line"]));
    for (const { text, x, size, isBold, align } of allTexts(label))
      if (align === "left")
        expect([text, x + measureText(text, size, isBold) <= LABEL_SIZE.width - 8]).toEqual([text, true]);
    expect(find(label, "12345678").size).toBeGreaterThan(19);
    expect(createLayout(profile, RESOLUTIONS["203"]).findTextFaults(makeCarton(LONG), SAMPLE_FROM)).toEqual(
      [],
    );
  },
);

test("lines never run into the next zone: zones grow with their lines, and lines without room are drawn smaller", () => {
  let refused = 0;
  for (const height of [LABEL_SIZE.height, QUARTER])
    for (const change of [{}, LONG, { markFor: "" }, { ...LONG, address2: "", model: "", gtin: "" }])
      for (const country of ["US", "CA"] as const) {
        const carton = makeCarton(change, country);
        const layout = createLayout(generic, RESOLUTIONS["203"], height);
        const label = layout.draw(carton, { from: SAMPLE_FROM, prefix: SAMPLE_PREFIX });
        refused += layout.findTextFaults(carton, SAMPLE_FROM).length;
        const rules = label.common.rules.filter(({ width }) => width === LABEL_SIZE.width).map(({ y }) => y);
        const crossed = allTexts(label).filter(({ y, size }) =>
          rules.some((rule) => rule < y && rule > y - size * 0.7),
        );
        expect([change, country, height, crossed]).toEqual([change, country, height, []]);
      }
  expect(refused).toBeGreaterThan(3);
});

test("on a quarter of a Letter sheet international labels print with full-size barcodes as long as their text fits", () => {
  const layout = createLayout(generic, RESOLUTIONS["203"], QUARTER);
  const usual = { address2: "", trailer: "", gtin: "", model: "", department: "", vendor: "" };
  expect(layout.findTextFaults(makeCarton(usual, "CA"), SAMPLE_FROM)).toEqual([]);
  const small = drawn(usual, { country: "CA", height: QUARTER });
  expect(small.own.symbols.map(heightMm)).toEqual(ABROAD.own.symbols.map(heightMm));
  expect(layout.findTextFaults(makeCarton({}, "CA"), SAMPLE_FROM)).toMatchObject([
    { letter: "E", field: "description", long: null },
    { letter: "E", field: "cartonCount", long: null },
  ]);
});

test("modules are whole dots on each printer, and barcodes begin on a dot", () => {
  for (const printer of PRINTERS) {
    expect(Number.isInteger(printer.moduleDots)).toBe(true);
    for (const { leftDots } of drawn({}, { printer }).own.symbols)
      expect(Number.isInteger(leftDots)).toBe(true);
    expect(modulePoints(printer)).toBeCloseTo((moduleMm(printer) / 25.4) * 72, 9);
  }
});
