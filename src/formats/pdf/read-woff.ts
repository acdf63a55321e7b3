import { inflateSync } from "node:zlib";

/** A TrueType font and its tables. */
export type Font = {
  tables: ReadonlyMap<string, Buffer>;
  /** Finds the glyph number of a character, 0 for none. */
  findGlyph: (character: string) => number;
  /** Width of a glyph in thousandths of the font size. */
  glyphWidth: (glyph: number) => number;
};

const HEADER = 44;
const ENTRY = 20;

/** Opens a WOFF file: the tables of a font, each compressed separately. @see https://www.w3.org/TR/WOFF/ */
export function readWoff(bytes: Uint8Array): Font {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, Buffer>();
  for (let at = HEADER; at < HEADER + file.readUInt16BE(12) * ENTRY; at += ENTRY) {
    const start = file.readUInt32BE(at + 4);
    const packed = file.subarray(start, start + file.readUInt32BE(at + 8));
    const isPacked = packed.length < file.readUInt32BE(at + 12);
    tables.set(file.toString("latin1", at, at + 4), isPacked ? inflateSync(packed) : packed);
  }
  const glyphs = readGlyphs(requireTable(tables, "cmap"));
  const metrics = requireTable(tables, "hmtx");
  const lastWide = requireTable(tables, "hhea").readUInt16BE(34) - 1;
  const unitsPerEm = requireTable(tables, "head").readUInt16BE(18);
  return {
    tables,
    findGlyph: (character) => glyphs.get(character.codePointAt(0) ?? 0) ?? 0,
    glyphWidth: (glyph) =>
      Math.round((1000 * metrics.readUInt16BE(4 * Math.min(glyph, lastWide))) / unitsPerEm),
  };
}

export function requireTable(tables: ReadonlyMap<string, Buffer>, tag: string): Buffer {
  const table = tables.get(tag);
  if (!table) throw new Error(`The font has no table ${tag}.`);
  return table;
}

/** Reads the format 4 table for Windows and Unicode, which every font has. */
function readGlyphs(cmap: Buffer): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>();
  const table = cmap.subarray(startOfUnicode(cmap));
  const double = table.readUInt16BE(6);
  for (let segment = 0; segment < double; segment += 2) {
    const [last, first] = [table.readUInt16BE(14 + segment), table.readUInt16BE(16 + double + segment)];
    const delta = table.readUInt16BE(16 + 2 * double + segment);
    const rangeAt = 16 + 3 * double + segment;
    const range = table.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const found = range === 0 ? code : table.readUInt16BE(rangeAt + range + 2 * (code - first));
      if (found !== 0) glyphs.set(code, (found + delta) & 0xffff);
    }
  }
  return glyphs;
}

function startOfUnicode(cmap: Buffer): number {
  for (let at = 4; at < 4 + 8 * cmap.readUInt16BE(2); at += 8)
    if (cmap.readUInt16BE(at) === 3 && cmap.readUInt16BE(at + 2) === 1) return cmap.readUInt32BE(at + 4);
  throw new Error("The font has no Unicode table.");
}
