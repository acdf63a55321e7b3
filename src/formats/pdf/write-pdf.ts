import { toPoints, type DrawnLabel, type Drawing, type Picture, type Resolution } from "../label/drawing.ts";
import { createBars, wordDrawings, drawContent, literal } from "./content.ts";
import { createFonts, type FontFile } from "./fonts.ts";
import { createFile, type PdfFile, number } from "./file.ts";
import { packPicture } from "./pack-picture.ts";

/** A label with its position on a page. */
export type PlacedLabel = DrawnLabel & { leftDots: number; topDots: number };

export type LabelDocument = {
  title: string;
  resolution: Resolution;
  /** Size of each page, in points. */
  page: { width: number; height: number };
  /** Size of a label, in points. */
  label: { width: number; height: number };
  pages: AsyncIterable<readonly PlacedLabel[]>;
  /** Font for letters missing in the standard fonts; read when the first one occurs. */
  fontFile: FontFile;
};

/** Maximum pages per node of the page tree. */
const NODE_PAGES = 500;
/** Bytes per yielded chunk. */
const CHUNK_BYTES = 65_536;

const CATALOG = 1;
const PAGES = 2;
const INFO = 3;
const REGULAR = 4;
const BOLD = 5;
/** Fonts are known only at the end: drawings refer to them by this object. */
const FONTS = 6;
const FIRST_WORD = 7;

/**
 * Writes a PDF of labels in chunks, and keeps only the offsets of a label's objects in memory. Shared
 * drawings are written once. The same labels give the same bytes. Viewers are instructed to print at actual size.
 */
export async function* writePdf(document: LabelDocument): AsyncGenerator<Buffer> {
  const { page, resolution } = document;
  const file = createFile();
  file.begin();
  const words = wordDrawings(resolution);
  const tree = createTree(file, FIRST_WORD + words.length);
  const shared = createShared(document, { file, newId: tree.newId });
  for await (const labels of document.pages) {
    const content = pageContent(labels, { document, shared });
    tree.addPage(content);
    const chunk = file.take(CHUNK_BYTES);
    if (chunk) yield chunk;
  }
  const { count, nodes } = tree.close();
  const embedded = shared.fonts.write(file, tree.newId);
  file.object(FONTS, `<</R ${REGULAR} 0 R/B ${BOLD} 0 R${embedded}>>`);
  const drawings = shared.list();
  for (const [word, { content, box }] of words.entries()) {
    if (!shared.words.has(word)) continue;
    file.stream(FIRST_WORD + word, content, `/Type/XObject/Subtype/Form/BBox${box}`);
    drawings.push(`/W${word} ${FIRST_WORD + word} 0 R`);
  }
  const resources = `<</Font ${FONTS} 0 R/XObject<<${drawings.join("")}>>>>`;
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
  yield file.end({ catalog: CATALOG, info: INFO });
}

const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
const refs = (ids: readonly number[]) => ids.map((id) => `${id} 0 R`).join(" ");

/** Builds the page tree, with a limited number of pages per node. */
function createTree(file: PdfFile, first: number) {
  const nodes: number[] = [];
  let next = first;
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
  return {
    newId: () => next++,
    addPage: (content: string) => {
      const [pageId, contentId] = [next++, next++];
      file.object(pageId, `<</Type/Page/Parent ${node} 0 R/Contents ${contentId} 0 R>>`);
      file.stream(contentId, content);
      kids.push(pageId);
      count += 1;
      if (kids.length === NODE_PAGES) closeNode();
    },
    close: () => {
      closeNode();
      return { count, nodes };
    },
  };
}

type Shared = ReturnType<typeof createShared>;

/** Writes pictures, and drawings shared by labels; each is written when the first label needs it. */
function createShared(
  { label, resolution, fontFile }: LabelDocument,
  { file, newId }: { file: PdfFile; newId: () => number },
) {
  const words = new Set<number>();
  const bars = createBars(resolution, (word) => {
    words.add(word);
    return `W${word}`;
  });
  const fonts = createFonts(fontFile);
  const ids = new Map<Drawing | Picture, { id: number; name: string }>();
  const box = `[0 0 ${number(label.width)} ${number(label.height)}]`;
  const nameOnce = (drawn: Drawing | Picture, write: (id: number) => void): string => {
    const before = ids.get(drawn);
    if (before) return before.name;
    const added = { id: newId(), name: `C${ids.size}` };
    ids.set(drawn, added);
    write(added.id);
    return added.name;
  };
  const namePicture = (picture: Picture): string =>
    nameOnce(picture, (id) => {
      const { image, entries } = packPicture(picture);
      file.stream(id, image, entries);
    });
  const frame = { height: label.height, bars, fonts, namePicture };
  return {
    fonts,
    words,
    frame,
    findName: (drawing: Drawing): string =>
      nameOnce(drawing, (id) =>
        file.stream(
          id,
          drawContent(drawing, frame),
          `/Type/XObject/Subtype/Form/BBox${box}/Resources<</Font ${FONTS} 0 R>>`,
        ),
      ),
    list: () => [...ids.values()].map(({ id, name }) => `/${name} ${id} 0 R`),
  };
}

function pageContent(
  labels: readonly PlacedLabel[],
  {
    document: { page, label, resolution },
    shared: { frame, findName },
  }: { document: LabelDocument; shared: Shared },
): string {
  const { height } = label;
  return labels
    .map(({ common, own, leftDots, topDots }) => {
      const x = toPoints(leftDots, resolution);
      const y = page.height - height - toPoints(topDots, resolution);
      const content = `/${findName(common)} Do\n${drawContent(own, frame)}`;
      return x === 0 && y === 0 ? content : `q 1 0 0 1 ${x.toFixed(5)} ${y.toFixed(5)} cm\n${content}Q\n`;
    })
    .join("");
}
