import { deflateSync } from "node:zlib";
import { toPoints, type Drawing, type DrawnText, type Resolution } from "../label/drawing.ts";
import { encodeText, measureText } from "../label/measure-text.ts";
import { createBars, wordDrawings, wordName } from "./bars.ts";
import { number } from "./numbers.ts";

/** One label of a page: what it has in common with others by its place in `commons`, and what is its own. */
export type PlacedLabel = { common: number; own: Drawing; leftDots: number; topDots: number };

export type LabelDocument = {
  title: string;
  resolution: Resolution;
  /** Of each page, in points. */
  page: { width: number; height: number };
  /** Of a label, in points. */
  label: { width: number; height: number };
  /** Drawings that many labels share; each is in the document once. */
  commons: readonly Drawing[];
  pages: AsyncIterable<readonly PlacedLabel[]>;
};

/** Pages of one node of the tree of pages. */
const NODE_PAGES = 500;
/** Bytes that are handed on at once. */
const CHUNK_BYTES = 65_536;
/** A small window and small buffers: setting up zlib's own would take longer than packing two kilobytes. */
const PACKING = { level: 6, windowBits: 12, memLevel: 6, chunkSize: 2048 } as const;

const CATALOG = 1;
const PAGES = 2;
const INFO = 3;
const REGULAR = 4;
const BOLD = 5;
const FIRST_WORD = 6;

/**
 * A PDF of labels, piece by piece: what is kept of a label is where its objects begin. The same labels give the same
 * bytes. Viewers are asked to print it at its own size.
 */
export async function* writePdf(document: LabelDocument): AsyncGenerator<Buffer> {
  const { commons, page, resolution } = document;
  const file = createFile();
  file.begin();
  const height = document.label.height;
  const words = wordDrawings(resolution);
  for (const [word, { content, box }] of words.entries())
    file.stream(FIRST_WORD + word, content, `/Type/XObject/Subtype/Form/BBox${box}`);
  const firstCommon = FIRST_WORD + words.length;
  for (const [index, common] of commons.entries()) {
    const content = drawingOf(common, { height, bars: createBars(resolution) });
    const box = `[0 0 ${number(document.label.width)} ${number(height)}]`;
    file.stream(firstCommon + index, content, `/Type/XObject/Subtype/Form/BBox${box}/Resources<<${FONTS}>>`);
  }
  const bars = createBars(resolution);
  const nodes: number[] = [];
  let next = firstCommon + commons.length;
  let kids: number[] = [];
  let node = next++;
  let count = 0;
  const closeNode = () => {
    if (kids.length === 0) return;
    file.object(node, `<</Type/Pages/Parent ${PAGES} 0 R/Count ${kids.length}/Kids[${refs(kids)}]>>`);
    nodes.push(node);
    kids = [];
    node = next++;
  };
  for await (const labels of document.pages) {
    const [pageId, contentId] = [next++, next++];
    file.object(pageId, `<</Type/Page/Parent ${node} 0 R/Contents ${contentId} 0 R>>`);
    file.stream(contentId, pageContent(labels, { page, height, resolution, bars }));
    kids.push(pageId);
    count += 1;
    if (kids.length === NODE_PAGES) closeNode();
    const chunk = file.take(CHUNK_BYTES);
    if (chunk) yield chunk;
  }
  closeNode();
  const drawings = [
    ...commons.map((_, at) => `/C${at} ${firstCommon + at} 0 R`),
    ...words.map((_, word) => `/${wordName(word)} ${FIRST_WORD + word} 0 R`),
  ];
  const resources = `<<${FONTS}/XObject<<${drawings.join("")}>>>>`;
  const box = `[0 0 ${number(page.width)} ${number(page.height)}]`;
  file.object(
    PAGES,
    `<</Type/Pages/Count ${count}/Kids[${refs(nodes)}]/MediaBox${box}/Resources${resources}>>`,
  );
  file.object(
    CATALOG,
    `<</Type/Catalog/Pages ${PAGES} 0 R/ViewerPreferences<</PrintScaling/None/PickTrayByPDFSize true/Duplex/Simplex/DisplayDocTitle true>>>>`,
  );
  file.object(INFO, `<</Title${literal(document.title)}>>`);
  file.object(REGULAR, font("Helvetica"));
  file.object(BOLD, font("Helvetica-Bold"));
  yield file.end();
}

const FONTS = `/Font<</R ${REGULAR} 0 R/B ${BOLD} 0 R>>`;
const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
const refs = (ids: readonly number[]) => ids.map((id) => `${id} 0 R`).join(" ");

type Frame = { height: number; bars: ReturnType<typeof createBars> };

function pageContent(
  labels: readonly PlacedLabel[],
  { page, height, resolution, bars }: Frame & { page: { height: number }; resolution: Resolution },
): string {
  return labels
    .map(({ common, own, leftDots, topDots }) => {
      const x = toPoints(leftDots, resolution);
      const y = page.height - height - toPoints(topDots, resolution);
      const content = `/C${common} Do\n${drawingOf(own, { height, bars })}`;
      return x === 0 && y === 0 ? content : `q 1 0 0 1 ${number(x)} ${number(y)} cm\n${content}Q\n`;
    })
    .join("");
}

/** A drawing in the language of PDF, whose y goes up. */
function drawingOf({ texts, rules, symbols }: Drawing, { height, bars }: Frame): string {
  let content = "";
  for (const rule of rules)
    content += `${number(rule.x)} ${number(height - rule.y - rule.height)} ${number(rule.width)} ${number(rule.height)} re\n`;
  if (rules.length > 0) content += "f\n";
  for (const symbol of symbols) content += bars(symbol, height);
  if (texts.length === 0) return content;
  content += "BT\n";
  const pen = { x: 0, y: 0, font: "", stretch: 1 };
  for (const text of texts) content += lineOf(text, height, pen);
  if (pen.stretch !== 1) content += "100 Tz\n";
  return `${content}ET\n`;
}

type Pen = { x: number; y: number; font: string; stretch: number };

/** Positions are relative to the line before, and in tenths of a point, so that no rounding adds up. */
function lineOf(drawn: DrawnText, height: number, pen: Pen): string {
  const { text, size, isBold, align, stretch } = drawn;
  const width = align === "left" ? 0 : measureText(text, size, isBold) * stretch;
  const x = Math.round(10 * (drawn.x - (align === "center" ? width / 2 : width)));
  const y = Math.round(10 * (height - drawn.y));
  let line = "";
  const face = `/${isBold ? "B" : "R"} ${number(size)} Tf `;
  if (face !== pen.font) line += face;
  if (stretch !== pen.stretch) line += `${number(100 * stretch)} Tz `;
  line += `${number((x - pen.x) / 10)} ${number((y - pen.y) / 10)} Td ${literal(text)} Tj\n`;
  Object.assign(pen, { x, y, font: face, stretch });
  return line;
}

const literal = (text: string): string => {
  const encoded = encodeText(text);
  return `(${/[\\()]/.test(encoded) ? encoded.replaceAll(/[\\()]/g, "\\$&") : encoded})`;
};

/** The objects of a PDF as they are written, and where each begins. */
function createFile() {
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
  const object = (id: number, body: string) => {
    offsets[id] = written;
    text(`${id} 0 obj${body}endobj\n`);
  };
  return {
    // By bytes above 127 programs that move files know that this is no text.
    begin: () => text("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n"),
    object,
    stream: (id: number, content: string, entries = "") => {
      const packed = deflateSync(Buffer.from(content, "latin1"), PACKING);
      offsets[id] = written;
      text(`${id} 0 obj<<${entries}/Filter/FlateDecode/Length ${packed.length}>>stream\n`);
      push(packed);
      text("\nendstream endobj\n");
    },
    take,
    end: (): Buffer => {
      const start = written;
      text(`xref\n0 ${offsets.length}\n0000000000 65535 f \n`);
      for (let id = 1; id < offsets.length; id += 1) text(entryOf(offsets[id]));
      const id = "<00000000000000000000000000000000>";
      text(
        `trailer<</Size ${offsets.length}/Root ${CATALOG} 0 R/Info ${INFO} 0 R/ID[${id}${id}]>>\nstartxref\n${start}\n%%EOF\n`,
      );
      return take() ?? Buffer.alloc(0);
    },
  };
}

/** A number that was set aside and never used is free. */
const entryOf = (offset: number | undefined) =>
  offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`;
