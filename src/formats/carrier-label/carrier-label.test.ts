import { beforeAll, expect, test } from "vitest";
import {
  drawUpright,
  crop,
  resize,
  stamp,
  toGif,
  toPng,
  turn,
  type Dots,
} from "#formats/carrier-label/fixtures/sample-label.ts";
import { UnreadableLabel } from "#formats/carrier-label/picture.ts";
import { readTrackingNumber } from "#formats/carrier-label/read-tracking-number.ts";
import { writeLabelPages } from "#formats/carrier-label/write-label-pages.ts";
import { LABEL_SIZE } from "#formats/label/drawing.ts";
import {
  createZBar,
  prepareZXing,
  readByZBar,
  readByZXing,
  renderPages,
  type Raster,
} from "#formats/label/fixtures/rasters.ts";

const NUMBERS = [
  "1Z1A2B3C0300000017",
  "1Z9999990312345678",
  "1ZABCDEF01ZYXWVU98",
  "1Z1234560100000001",
  "1ZA1B2C30200000995",
];

const labels = new Map<string, Dots>();
beforeAll(async () => {
  for (const number of NUMBERS) labels.set(number, await drawUpright(number));
  await prepareZXing();
});
const draw = (number = "") => labels.get(number) ?? expect.unreachable();

const write = (...pictures: Uint8Array[]) => Buffer.concat([...writeLabelPages(pictures, "PO-7001 labels")]);

async function render(pdf: Buffer): Promise<Raster[]> {
  const pages: Raster[] = [];
  for await (const page of renderPages(pdf, "203", LABEL_SIZE)) pages.push(page);
  return pages;
}

test.each(NUMBERS)(
  "the number %s is read from its bars, in every format and whichever way the label is turned",
  (number) => {
    const upright = draw(number);
    const onSide = turn(upright);
    const [upsideDown, onOtherSide] = [turn(onSide), turn(turn(onSide))];
    for (const each of [upright, onSide, upsideDown, onOtherSide]) {
      expect(readTrackingNumber(toGif(each))).toBe(number);
      expect(readTrackingNumber(toPng(each))).toBe(number);
    }
    expect(readTrackingNumber(toGif(onSide, [0x000000, 0xffffff]))).toBe(number);
  },
);

test("labels become one document of upright pages in order, and two other readers read each number from its page", async () => {
  const scanner = await createZBar();
  const pictures = NUMBERS.map((number, at) => {
    const onSide = turn(draw(number));
    return at % 2 === 0 ? toGif(onSide) : toPng(onSide);
  });
  const bytes = write(...pictures);
  expect(write(...pictures).equals(bytes)).toBe(true);
  const pages = await render(bytes);
  expect(pages).toHaveLength(NUMBERS.length);
  for (const [at, page] of pages.entries()) {
    expect(page.height / page.width).toBeCloseTo(1.5, 2);
    expect(await readByZXing(page)).toContain(`]C0${NUMBERS[at]}`);
    expect(await readByZBar(page, scanner)).toContain(NUMBERS[at]);
  }
});

/** Dots of the label that differ from a page drawn with a pixel for each dot, in a picture of the page at 200 dpi. */
test("a page shows the first six inches of the picture, dot for dot, whether it is rotated or not", async () => {
  const upright = draw(NUMBERS[0]);
  const shown = crop(upright, 1200);
  const fromSide = write(toGif(turn(upright)));
  for (const bytes of [fromSide, write(toGif(upright)), write(toPng(shown))]) {
    const [page] = await renderAt200(bytes);
    expect([page?.width, page?.height]).toEqual([800, 1200]);
    const differing = shown.ink.filter((dot, at) => (dot === 1) !== (page?.data[at] ?? 255) < 128).length;
    expect(differing).toBe(0);
  }
  // The blank inch is not in the file.
  expect(fromSide.toString("latin1")).toContain("/Width 1200/Height 800/BitsPerComponent 1");
});

async function renderAt200(pdf: Buffer): Promise<Raster[]> {
  const { PDFiumLibrary } = await import("@hyzyla/pdfium");
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const pages: Raster[] = [];
  for (const page of document.pages()) {
    const size = { width: 800, height: 1200 };
    const { data, width, height } = await page.render({
      ...size,
      colorSpace: "Gray",
      render: ({ data: pixels }) => Promise.resolve(pixels),
    });
    pages.push({ width, height, data: new Uint8Array(data) });
  }
  document.destroy();
  library.destroy();
  return pages;
}

test("a label that prints beyond six inches is scaled down, never cut; a frame of two more dots is cut", async () => {
  const long = draw(NUMBERS[0]);
  const longer: Dots = { ...long, ink: long.ink.slice() };
  longer.ink[1299 * 800 + 400] = 1;
  const framed: Dots = { ...long, ink: long.ink.slice() };
  framed.ink.fill(1, 1201 * 800, 1202 * 800);
  expect(write(toGif(turn(longer))).toString("latin1")).toContain("/Width 1300/Height 800");
  expect(write(toGif(turn(framed))).toString("latin1")).toContain("/Width 1200/Height 800");
  const [page] = await render(write(toGif(turn(longer))));
  expect(await readByZXing(page ?? expect.unreachable())).toContain(`]C0${NUMBERS[0]}`);
});

test("bars that are scratched, speckled or of another resolution are read, and nothing else is taken for a number", () => {
  const [number = "", other = ""] = NUMBERS;
  const scratched: Dots = { ...draw(number), ink: draw(number).ink.slice() };
  for (let row = 0; row < 1400; row += 1) scratched.ink[row * 800 + ((row * 7) % 800)] = 1;
  for (let dot = 0; dot < 1400 * 800; dot += 997) scratched.ink[dot] = 1 - (scratched.ink[dot] ?? 0);
  expect(readTrackingNumber(toGif(turn(scratched)))).toBe(number);

  for (const scale of [0.8, 1.015, 1.5])
    expect(readTrackingNumber(toGif(resize(turn(draw(number)), scale)))).toBe(number);

  const none: Dots = { ...draw(number), ink: draw(number).ink.slice() };
  none.ink.fill(0, 800 * 800, 1200 * 800);
  expect(readTrackingNumber(toGif(turn(none)))).toBeNull();

  const two: Dots = { ...draw(number), ink: draw(number).ink.slice() };
  stamp(two, { width: 800, height: 70, ink: draw(other).ink.slice(860 * 800, 930 * 800) }, 0, 1050);
  expect(readTrackingNumber(toGif(turn(two)))).toBeNull();
});

test("the bars of a single line are never enough: two must agree", () => {
  const scratched: Dots = { ...draw(NUMBERS[0]), ink: draw(NUMBERS[0]).ink.slice() };
  scratched.ink.fill(0, 800 * 800, 900 * 800);
  scratched.ink.fill(0, 908 * 800, 1190 * 800);
  expect(readTrackingNumber(toGif(turn(scratched)))).toBeNull();
});

test("a picture that is cut anywhere is refused, and damage never gives another number", () => {
  const [number] = NUMBERS;
  for (const bytes of [toGif(turn(draw(number))), toPng(turn(draw(number)))]) {
    for (let length = 0; length < bytes.length - 20; length += Math.ceil(bytes.length / 61))
      expect(() => readTrackingNumber(bytes.subarray(0, length))).toThrow(UnreadableLabel);
    for (let at = 20; at < bytes.length; at += Math.ceil(bytes.length / 97)) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x15;
      const read = attempt(() => readTrackingNumber(damaged));
      expect([number, null, "refused"]).toContain(read);
    }
  }
  expect(() => readTrackingNumber(Buffer.from("%PDF-1.7"))).toThrow(UnreadableLabel);
  expect(() => readTrackingNumber(Buffer.alloc(0))).toThrow(UnreadableLabel);
});

function attempt(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableLabel) return "refused";
    throw error;
  }
}

const zpl = (...fields: string[]) =>
  Buffer.from(
    `\n^XA\r\n^PW812\r\n^POI\r\n^LH10,12\r\n^FO20,20^BD3^FH^FD420837021234^FS\r\n${fields.join("\r\n")}\r\n^XZ`,
  );
const bars = (data: string) => `^FO100,900^BY3^BCN,200,N,N,N^FD${data}^FS`;

test.each([
  [
    "1Z1A2B3C0300000017",
    zpl(
      bars(">;>842083702"),
      "^FO10,10^A0N,20,20^FDTRACKING #: 1Z 999 999 03^FS",
      bars(">:1Z1A2B3C>50300000017"),
    ),
  ],
  ["1Z1A2B3C0300000017", zpl("^FO1,1^BCN,200,Y,N,N,A\r\n^FD1Z1A2B3C0300000017^FS")],
  [null, zpl(bars(">;>842083702"), "^FO10,10^A0N,20,20^FD1Z1A2B3C0300000017^FS")],
  [null, zpl(bars("1Z1A2B3C0300000017"), bars("1Z9999990312345678"))],
])("the number of a Zebra label is %s according to its barcode", (number, bytes) => {
  expect(readTrackingNumber(bytes)).toBe(number);
});
