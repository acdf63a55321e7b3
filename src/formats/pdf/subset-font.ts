import { requireTable, type Font } from "./read-woff.ts";

/** TrueType tables that PDF needs; the document itself maps characters to glyphs. */
const KEPT = ["cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"];

/** Subsets a font to some glyphs, which keep their numbers, so that text already written stays valid. */
export function subsetFont({ tables }: Font, wanted: ReadonlySet<number>): Buffer {
  const offsets = glyphOffsets(tables);
  const glyf = requireTable(tables, "glyf");
  const glyphAt = (glyph: number) => glyf.subarray(offsets[glyph] ?? 0, offsets[glyph + 1] ?? 0);
  const kept = withParts(wanted, glyphAt);
  const loca = Buffer.alloc(4 * offsets.length);
  const pieces: Buffer[] = [];
  let end = 0;
  for (let glyph = 0; glyph < offsets.length; glyph += 1) {
    loca.writeUInt32BE(end, 4 * glyph);
    if (!kept.has(glyph)) continue;
    const piece = glyphAt(glyph);
    const padded = Buffer.alloc(Math.ceil(piece.length / 4) * 4);
    piece.copy(padded);
    pieces.push(padded);
    end += padded.length;
  }
  const head = Buffer.from(requireTable(tables, "head"));
  head.writeUInt16BE(1, 50);
  const changed = new Map([
    ...tables,
    ["glyf", Buffer.concat(pieces)],
    ["loca", loca],
    ["head", head],
  ] as const);
  return joinTables(
    KEPT.flatMap((tag) => (changed.has(tag) ? [[tag, requireTable(changed, tag)] as const] : [])),
  );
}

function glyphOffsets(tables: Font["tables"]): number[] {
  const isLong = requireTable(tables, "head").readUInt16BE(50) === 1;
  const loca = requireTable(tables, "loca");
  return Array.from({ length: loca.length / (isLong ? 4 : 2) }, (_, at) =>
    isLong ? loca.readUInt32BE(4 * at) : 2 * loca.readUInt16BE(2 * at),
  );
}

const WORDS = 1;
const SCALE = 8;
const MORE = 32;
const TWO_SCALES = 64;
const MATRIX = 128;

/** Adds the components of composite glyphs, and the glyph for missing characters. */
function withParts(wanted: ReadonlySet<number>, glyphAt: (glyph: number) => Buffer): ReadonlySet<number> {
  const kept = new Set([0, ...wanted]);
  // A set can grow during iteration.
  for (const glyph of kept) {
    const data = glyphAt(glyph);
    if (data.length === 0 || data.readInt16BE(0) >= 0) continue;
    let at = 10;
    for (let flags = MORE; (flags & MORE) !== 0;) {
      flags = data.readUInt16BE(at);
      kept.add(data.readUInt16BE(at + 2));
      at += (flags & WORDS ? 8 : 6) + (flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0);
    }
  }
  return kept;
}

/** Joins tables to a font file, sorted by name. */
function joinTables(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const power = 2 ** Math.floor(Math.log2(tables.length));
  const header = Buffer.alloc(12 + 16 * tables.length);
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(tables.length, 4);
  header.writeUInt16BE(16 * power, 6);
  header.writeUInt16BE(Math.log2(power), 8);
  header.writeUInt16BE(16 * (tables.length - power), 10);
  let end = header.length;
  const bodies = tables.map(([tag, table], place) => {
    const body = Buffer.alloc(Math.ceil(table.length / 4) * 4);
    table.copy(body);
    const at = 12 + 16 * place;
    header.write(tag, at, "latin1");
    header.writeUInt32BE(checksum(body), at + 4);
    header.writeUInt32BE(end, at + 8);
    header.writeUInt32BE(table.length, at + 12);
    end += body.length;
    return body;
  });
  return Buffer.concat([header, ...bodies]);
}

function checksum(body: Buffer): number {
  let sum = 0;
  for (let at = 0; at < body.length; at += 4) sum = (sum + body.readUInt32BE(at)) >>> 0;
  return sum;
}
