import { deflateSync } from "node:zlib";

/**
 * A small window and small buffers: allocating zlib's defaults would take longer than packing two kilobytes.
 */
const PACKING = { level: 6, windowBits: 12, memLevel: 6, chunkSize: 2048 } as const;

/** Object numbers referenced by the trailer. */
type Roots = { catalog: number; info: number };

/** Writes the objects of a PDF and records their offsets. */
export function createFile() {
  const offsets: number[] = [];
  let pieces: Buffer[] = [];
  let held = 0;
  let written = 0;
  const push = (piece: Buffer) => {
    pieces.push(piece);
    held += piece.length;
    written += piece.length;
  };
  const text = (value: string) => push(Buffer.from(value, "latin1"));
  const take = (least = 0) => {
    if (held < least) return undefined;
    const chunk = Buffer.concat(pieces);
    pieces = [];
    held = 0;
    return chunk;
  };
  return {
    // Bytes above 127 tell file transfer programs that this is not text.
    begin: () => text("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n"),
    object: (id: number, body: string) => {
      offsets[id] = written;
      text(`${id} 0 obj${body}endobj\n`);
    },
    stream: (id: number, content: string | Uint8Array, entries = "") => {
      const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
      const packed = deflateSync(bytes, PACKING);
      offsets[id] = written;
      text(`${id} 0 obj<<${entries}/Filter/FlateDecode/Length ${packed.length}>>stream\n`);
      push(packed);
      text("\nendstream endobj\n");
    },
    /** Takes the bytes written since the last call, if there are at least a given number. */
    take,
    end: ({ catalog, info }: Roots): Buffer => {
      const start = written;
      text(`xref\n0 ${offsets.length}\n0000000000 65535 f \n`);
      for (let id = 1; id < offsets.length; id += 1) text(formatEntry(offsets[id]));
      const id = "<00000000000000000000000000000000>";
      text(
        `trailer<</Size ${offsets.length}/Root ${catalog} 0 R/Info ${info} 0 R/ID[${id}${id}]>>\nstartxref\n${start}\n%%EOF\n`,
      );
      return take() ?? Buffer.alloc(0);
    },
  };
}
export type PdfFile = ReturnType<typeof createFile>;

/** A reserved number that was never used is free. */
const formatEntry = (offset: number | undefined) =>
  offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`;

/** Formats a number for PDF: no exponent, at most four decimals. */
export const number = (value: number): string => String(Math.round(value * 10_000) / 10_000);
