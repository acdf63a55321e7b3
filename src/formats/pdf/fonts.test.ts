import { inflateSync } from "node:zlib";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { expect, test } from "vitest";
import { LABEL_SIZE, RESOLUTIONS, type DrawnText } from "#formats/label/drawing.ts";
import { measureText, unprintableIn, OTHER_LETTERS } from "#formats/label/measure-text.ts";
import { readWoff } from "#formats/pdf/read-woff.ts";
import { writePdf } from "#formats/pdf/write-pdf.ts";
import { readFontFile } from "#platform/fonts.ts";
const NAMES = [
  "Łódź-Żółta Gęś, Kraków",
  "Příbram u Děčína, Štěpánská 12",
  "İstanbul Şişli, Iğdır",
  "Cần Thơ, Đường Trần Hưng Đạo",
  "Αθήνα, Οδός Ερμού 7",
  "Київ, вул. Хрещатик; Ёлкино",
];

async function writeDocument(texts: readonly Pick<DrawnText, "text" | "isBold">[]): Promise<Buffer> {
  const own = {
    texts: texts.map((text, at): DrawnText => ({
      ...text,
      x: 10,
      y: 20 * (at + 1),
      size: 12,
      align: "left",
      stretch: 1,
    })),
    rules: [],
    symbols: [],
  };
  const pages = async function* () {
    yield [{ common: { texts: [], rules: [], symbols: [] }, own, leftDots: 0, topDots: 0 }];
  };
  const pieces: Buffer[] = [];
  const sizes = { page: LABEL_SIZE, label: LABEL_SIZE, fontFile: readFontFile };
  for await (const piece of writePdf({
    title: "Łódź",
    resolution: RESOLUTIONS["300"],
    ...sizes,
    pages: pages(),
  }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Text that a viewer finds, line by line, and the end of each line in dots of a raster. */
async function seen(bytes: Buffer): Promise<{ lines: string[]; ends: number[] }> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  try {
    const page = document.getPage(0);
    const lines = page
      .getText()
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(Boolean);
    const size = { width: LABEL_SIZE.width * 4, height: LABEL_SIZE.height * 4 };
    const { data, width } = await page.render({
      ...size,
      colorSpace: "Gray",
      render: (bitmap) => Promise.resolve(bitmap.data),
    });
    const ends = lines.map((_, at) => {
      const rows = data.subarray((20 * at + 8) * 4 * width, (20 * at + 24) * 4 * width);
      return rows.reduce((end, dot, place) => (dot < 128 ? Math.max(end, place % width) : end), 0) / 4;
    });
    return { lines, ends };
  } finally {
    document.destroy();
    library.destroy();
  }
}

test.each(["regular", "bold"])(
  "European and Vietnamese names are printed, found and as wide as measured, in %s",
  async (face) => {
    const isBold = face === "bold";
    const bytes = await writeDocument(NAMES.map((text) => ({ text, isBold })));
    const { lines, ends } = await seen(bytes);
    expect(lines).toEqual(NAMES);
    for (const [at, text] of NAMES.entries())
      expect(Math.abs((ends[at] ?? 0) - 10 - measureText(text, 12, isBold))).toBeLessThan(2);
    // A few letters of each script, not the whole font.
    expect(bytes.length).toBeLessThan(60_000);
  },
);

test("a document with only the characters of the standard fonts embeds none", async () => {
  const bytes = await writeDocument([{ text: "Crème brûlée, 12 € – “Ñandú”", isBold: false }]);
  expect(bytes.includes("/FontFile2")).toBe(false);
  expect((await seen(bytes)).lines).toEqual(["Crème brûlée, 12 € – “Ñandú”"]);
});

test("every character listed as printable is in its file, as wide as the table says", () => {
  for (const [letter, { script, regular, bold }] of OTHER_LETTERS) {
    const fonts = [readWoff(readFontFile(script, "regular")), readWoff(readFontFile(script, "bold"))];
    const widths = fonts.map((font) =>
      font.findGlyph(letter) === 0 ? 0 : font.glyphWidth(font.findGlyph(letter)),
    );
    expect([letter, ...widths]).toEqual([letter, regular, bold]);
  }
});

test("characters of other scripts, and signs that no font here has, are found before anything is printed", () => {
  expect(["北京", "שלום", "مرحبا", "한국", "👍", "นนทบุรี"].map(unprintableIn)).toEqual([
    "北",
    "ש",
    "م",
    "한",
    "👍",
    "น",
  ]);
  // Composed of letter and accent, as some programs write it.
  expect(["S\u030Cte\u030Ca\u0301n", ...NAMES].map(unprintableIn)).toEqual(
    Array(NAMES.length + 1).fill(undefined),
  );
});

test("the packed font program has the document's characters and nothing else", async () => {
  const bytes = (await writeDocument([{ text: "Łódź", isBold: false }])).toString("latin1");
  const [, length = ""] = /\/Length1 \d+\/Filter\/FlateDecode\/Length (\d+)>>/.exec(bytes) ?? [];
  const from = bytes.indexOf("stream\n", bytes.indexOf("/Length1")) + 7;
  const font = inflateSync(Buffer.from(bytes.slice(from, from + Number(length)), "latin1"));
  const tags = Array.from({ length: font.readUInt16BE(4) }, (_, at) =>
    font.toString("latin1", 12 + 16 * at, 16 + 16 * at),
  );
  expect(tags).toEqual(["glyf", "head", "hhea", "hmtx", "loca", "maxp"]);
  expect(font.readUInt32BE(12 + 12)).toBeLessThan(2_000);
});
