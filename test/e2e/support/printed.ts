import { inflateSync } from "node:zlib";
import type { Page } from "@playwright/test";

/**
 * Prints a page as the browser does, to a document, and reads the words that are on its sheets.
 * @returns the text of each sheet, in the order in which it was drawn, words separated by one space
 */
export async function printedSheets(page: Page): Promise<string[]> {
  const objects = readObjects((await page.pdf({ format: "Letter" })).toString("latin1"));
  const sheets = [...objects.values()].filter((object) => /\/Type \/Page\b/.test(object));
  return sheets.map((sheet) => {
    const fonts = new Map(
      [...sheet.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", id = ""]) => [
        name,
        readLetters(objects, objects.get(id) ?? ""),
      ]),
    );
    const contents = sheet.match(/\/Contents (\d+) 0 R/)?.[1] ?? "";
    return readWords(unpackStream(objects.get(contents) ?? ""), fonts);
  });
}

/** Letters of a font by the glyph's number as the document writes it: two or four hexadecimal digits. */
type Letters = ReadonlyMap<string, string>;

const readObjects = (document: string): ReadonlyMap<string, string> =>
  new Map(
    [...document.matchAll(/^(\d+) 0 obj\s([^]*?)\sendobj$/gm)].map(([, id = "", body = ""]) => [id, body]),
  );

function unpackStream(object: string): string {
  const [, packed = ""] = object.match(/stream\r?\n([^]*)\r?\nendstream/) ?? [];
  return packed === "" ? "" : inflateSync(Buffer.from(packed, "latin1")).toString("latin1");
}

function readLetters(objects: ReadonlyMap<string, string>, font: string): Letters {
  const map = unpackStream(objects.get(font.match(/\/ToUnicode (\d+) 0 R/)?.[1] ?? "") ?? "");
  const letters = new Map<string, string>();
  for (const [, first = "", last = "", code = ""] of map.matchAll(/<(\w+)> <(\w+)> <(\w{4})>/g))
    for (let step = 0; step <= parseHex(last) - parseHex(first); step += 1)
      letters.set(hex(parseHex(first) + step, first.length), String.fromCharCode(parseHex(code) + step));
  for (const [, glyph = "", codes = ""] of map.matchAll(/^<(\w+)> <((?:\w{4})+)>$/gm))
    letters.set(glyph.toUpperCase(), Buffer.from(codes, "hex").swap16().toString("utf16le"));
  return letters;
}

const parseHex = (digits: string) => Number.parseInt(digits, 16);

const hex = (value: number, length: number) => value.toString(16).toUpperCase().padStart(length, "0");

/** Pieces of one text follow one another without a new place on the sheet. */
function readWords(contents: string, fonts: ReadonlyMap<string, Letters>): string {
  let letters: Letters = new Map();
  let words = "";
  for (const [, font, glyphs] of contents.matchAll(/(?:\/(F\d+) \S+ Tf)|(?:<(\w+)> Tj)|(?:\bBT\b)/g)) {
    if (font) letters = fonts.get(font) ?? new Map();
    else if (glyphs) words += mapGlyphs(glyphs, letters);
    else words += " ";
  }
  return words.replaceAll(/\s+/g, " ").trim();
}

function mapGlyphs(glyphs: string, letters: Letters): string {
  const width = [...letters.keys()].at(-1)?.length ?? 4;
  const numbers = glyphs.toUpperCase().match(new RegExp(`.{${width}}`, "g")) ?? [];
  return numbers.map((number) => letters.get(number) ?? "?").join("");
}
