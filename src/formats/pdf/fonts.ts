import type { Script } from "../label/measure-text.ts";
import type { PdfFile } from "./file.ts";
import { readWoff, requireTable, type Font } from "./read-woff.ts";
import { subsetFont } from "./subset-font.ts";

/** Reads the embedded font file for a script, as WOFF. */
export type FontFile = (script: Script, face: "regular" | "bold") => Uint8Array;

type Used = { name: string; face: string; font: Font; glyphs: Map<number, string> };

/** Collects letters beyond the standard encoding that a document uses; only these are embedded. */
export function createFonts(readFile: FontFile) {
  const used = new Map<string, Used>();
  return {
    /** Returns the font name of a letter in the document, and the letter's code there. */
    encode: (letter: string, script: Script, isBold: boolean): { name: string; code: string } => {
      const face = isBold ? "bold" : "regular";
      const key = `${script} ${face}`;
      const known = used.get(key);
      const font = known ?? {
        name: `E${used.size}`,
        face,
        font: readWoff(readFile(script, face)),
        glyphs: new Map(),
      };
      if (!known) used.set(key, font);
      const glyph = font.font.findGlyph(letter);
      font.glyphs.set(glyph, letter);
      return { name: font.name, code: hex(glyph) };
    },
    /** Writes the fonts. @returns their names and object numbers for the document's resources */
    write: (file: PdfFile, newId: () => number): string =>
      [...used.values()].map((font) => `/${font.name} ${writeFont(font, { file, newId })} 0 R`).join(""),
  };
}
export type Fonts = ReturnType<typeof createFonts>;

const hex = (code: number): string => code.toString(16).padStart(4, "0");

function writeFont(
  { name, face, font, glyphs }: Used,
  { file, newId }: { file: PdfFile; newId: () => number },
) {
  const [id, descendant, descriptor, program, characters] = [newId(), newId(), newId(), newId(), newId()];
  const sorted = [...glyphs].toSorted(([a], [b]) => a - b);
  // The six-letter prefix marks a font subset.
  const base = `/ARIMO${"ABCDEFGH".charAt(Number(name.slice(1)))}+Arimo-${face === "bold" ? "Bold" : "Regular"}`;
  const widths = sorted.map(([glyph]) => `${glyph}[${font.glyphWidth(glyph)}]`).join("");
  const system = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>";
  file.object(
    id,
    `<</Type/Font/Subtype/Type0/BaseFont${base}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${characters} 0 R>>`,
  );
  file.object(
    descendant,
    `<</Type/Font/Subtype/CIDFontType2/BaseFont${base}${system}/FontDescriptor ${descriptor} 0 R/CIDToGIDMap/Identity/W[${widths}]>>`,
  );
  file.object(
    descriptor,
    `<</Type/FontDescriptor/FontName${base}/Flags 4${describeShape(font)}/ItalicAngle 0/StemV 80/FontFile2 ${program} 0 R>>`,
  );
  const subset = subsetFont(font, new Set(glyphs.keys()));
  file.stream(program, subset, `/Length1 ${subset.length}`);
  file.stream(characters, unicodeMap(sorted));
  return id;
}

function describeShape({ tables }: Font): string {
  const [head, hhea] = [requireTable(tables, "head"), requireTable(tables, "hhea")];
  const scaled = (units: number) => Math.round((1000 * units) / head.readUInt16BE(18));
  const box = [36, 38, 40, 42].map((at) => scaled(head.readInt16BE(at)));
  const [ascent, descent] = [scaled(hhea.readInt16BE(4)), scaled(hhea.readInt16BE(6))];
  return `/FontBBox[${box.join(" ")}]/Ascent ${ascent}/Descent ${descent}/CapHeight ${ascent}`;
}

/** Maps codes to characters, so that text can be searched and copied. */
function unicodeMap(glyphs: readonly (readonly [number, string])[]): string {
  const lines = glyphs.map(([glyph, letter]) => `<${hex(glyph)}> <${hex(letter.charCodeAt(0))}>`);
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += MAX_BLOCK) {
    const block = lines.slice(at, at + MAX_BLOCK);
    blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join("\n")}
endcmap end end`;
}

/** Maximum entries per block in the format of these maps. */
const MAX_BLOCK = 100;
