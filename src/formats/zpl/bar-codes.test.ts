import { expect, test } from "vitest";
import { barWidths, countModules, QUIET_MODULES, type BarCode } from "#formats/gs1/bar-code.ts";
import { encodeCode128, encodeGs1, SEPARATOR } from "#formats/gs1/code128.ts";
import { findElementFault, toElementString, type Element } from "#formats/gs1/element-strings.ts";
import { encodeItf14 } from "#formats/gs1/itf.ts";
import {
  LABEL_SIZE,
  moduleMm,
  modulePoints,
  RESOLUTIONS,
  toDots,
  type DrawnSymbol,
  type ResolutionName,
} from "#formats/label/drawing.ts";
import {
  collect,
  createZBar,
  PAGE,
  prepareZXing,
  printedWidths,
  readByZBar,
  readByZXing,
  renderPages,
  renderZpl,
} from "#formats/label/fixtures/rasters.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { everyNth } from "../../../test/support/rules/every-nth.ts";
import { createZpl } from "#formats/zpl/write-zpl.ts";

type Sample = { symbol: BarCode; data: string; symbology: string; elements: readonly Element[] };

function gs1(text: string): Sample {
  const elements = [...text.matchAll(/\((\d+)\)([^(]*)/g)].map(([, ai = "", value = ""]) => ({ ai, value }));
  const data = toElementString(elements);
  return { symbol: encodeGs1(data), data, symbology: "]C1", elements };
}

const plain = (data: string): Sample => ({
  symbol: encodeCode128(data),
  data,
  symbology: "]C0",
  elements: [],
});
const itf = (data: string): Sample => ({ symbol: encodeItf14(data), data, symbology: "]I1", elements: [] });

/** Labels with every kind of symbol and identifier that profiles use. */
const LABELS: readonly (readonly Sample[])[] = [
  [gs1("(01)00614141000012(17)261100"), gs1("(10)L-7(21)S1"), gs1("(00)006141410000004171")],
  [
    gs1("(02)00614141999996(37)24"),
    gs1("(15)261130(10)AB_12>"),
    gs1("(91)A-7_c>"),
    gs1("(00)306141410000004172"),
  ],
  [itf("00614141999996"), itf("10614141000019"), plain("PO 55#a"), plain("0123456789")],
  [plain("~^_\\>`{|}"), plain("A>BC"), plain("$%&'()*+,-./"), plain(" :;<=>?@[]")],
];

const HEIGHT = 40;
const PRINTERS = ["203", "600", "300"] as const;

function place(samples: readonly Sample[], name: ResolutionName): DrawnSymbol[] {
  const resolution = RESOLUTIONS[name];
  return samples.map(({ symbol }, row) => {
    const width = countModules(symbol) * modulePoints(resolution);
    expect(width + 2 * QUIET_MODULES * modulePoints(resolution)).toBeLessThan(LABEL_SIZE.width);
    return {
      ...symbol,
      leftDots: toDots((LABEL_SIZE.width - width) / 2, resolution),
      y: 40 + 90 * row,
      height: HEIGHT,
    };
  });
}

const draw = (symbols: readonly DrawnSymbol[]) => ({
  common: { texts: [], rules: [], symbols: [] },
  own: { texts: [], rules: [], symbols },
});

const expectRead = (samples: readonly Sample[]) =>
  samples.map(({ data, symbology }) => `${symbology}${data}`).toSorted();

test.each(everyNth(PRINTERS, 2))(
  "at %s dpi every kind of barcode is whole dots wide when a PDF is printed, and two decoders read its exact data",
  async (name) => {
    await prepareZXing();
    const scanner = await createZBar();
    const drawn = LABELS.map((samples) => place(samples, name));
    const pages = (async function* () {
      for (const symbols of drawn) yield [{ ...draw(symbols), leftDots: 0, topDots: 0 }];
    })();
    const document = {
      title: "Proof",
      resolution: RESOLUTIONS[name],
      page: PAGE,
      label: LABEL_SIZE,
      pages,
      fontFile: () => expect.unreachable(),
    };
    const bytes = Buffer.concat(await collect(writePdf(document)));
    let page = 0;
    for await (const raster of renderPages(bytes, name)) {
      const [samples = [], symbols = []] = [LABELS[page], drawn[page]];
      page += 1;
      for (const symbol of symbols) expect(printedWidths(raster, symbol, name)).toBe(barWidths(symbol));
      expect((await readByZXing(raster)).toSorted()).toEqual(expectRead(samples));
      expect((await readByZBar(raster, scanner)).toSorted()).toEqual(
        samples.map(({ data }) => data).toSorted(),
      );
    }
    expect(page).toBe(LABELS.length);
  },
);

test.each(everyNth(PRINTERS, 2))(
  "at %s dpi a Zebra printer prints every kind of barcode with its exact data",
  async (name) => {
    await prepareZXing();
    const write = createZpl({ resolution: RESOLUTIONS[name], label: LABEL_SIZE });
    for (const samples of LABELS) {
      const image = await renderZpl(write(draw(place(samples, name))), name);
      expect((await readByZXing(image)).toSorted()).toEqual(expectRead(samples));
    }
  },
);

test("the labels in this proof follow GS1's rules, and only elements that need it are terminated", () => {
  const separated: string[] = [];
  for (const samples of LABELS)
    for (const sample of samples.filter(({ elements }) => elements.length > 0)) {
      const others = samples.filter((other) => other !== sample).flatMap(({ elements }) => elements);
      const onLabel = others.map(({ ai }) => ai);
      expect(findElementFault(sample.elements, moduleMm(RESOLUTIONS["203"]), onLabel)).toBeUndefined();
      if (sample.data.includes(SEPARATOR)) separated.push(sample.data);
    }
  expect(separated).toEqual([`10L-7${SEPARATOR}21S1`]);
});

test("a Zebra printer places a line below the bars by its baseline, so its characters do not touch them", () => {
  const [symbol] = place([plain("PO 55")], "203");
  if (!symbol) expect.unreachable();
  const line = {
    text: "PO 55",
    x: 144,
    y: symbol.y + symbol.height + 9,
    size: 9,
    isBold: false,
    align: "center",
    stretch: 1,
  } as const;
  const resolution = RESOLUTIONS["203"];
  const text = createZpl({ resolution, label: LABEL_SIZE })({
    common: { texts: [], rules: [], symbols: [] },
    own: { texts: [line], rules: [], symbols: [symbol] },
  });
  const [, baseLine, size] = /\^FT\d+,(\d+)\^A0N,(\d+)/.exec(text) ?? expect.unreachable();
  expect(Number(baseLine)).toBe(toDots(line.y, resolution));
  // Letters are three quarters as high as their size.
  const top = Number(baseLine) - 0.75 * Number(size);
  expect(top - toDots(symbol.y + symbol.height, resolution)).toBeGreaterThanOrEqual(4);
});
