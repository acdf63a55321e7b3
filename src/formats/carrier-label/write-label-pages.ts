import { LABEL_SIZE, type Picture } from "../label/drawing.ts";
import { literal } from "../pdf/content.ts";
import { createFile, number } from "../pdf/file.ts";
import { packPicture } from "../pdf/pack-picture.ts";
import { findInk } from "./picture.ts";
import { readPicture } from "./read-picture.ts";

const CATALOG = 1;
const PAGES = 2;
const INFO = 3;
const FIRST_PAGE = 4;
/** Page, content and picture. */
const OBJECTS_PER_PAGE = 3;

/**
 * Writes carriers' label pictures as one PDF, a page of 4 by 6 inches each, upright, in the order given. Pixels are not
 * turned or scaled: the page does that. The same pictures give the same bytes.
 * @param labels GIF or PNG
 * @returns pieces of the file, one for each label and one for the end
 * @throws UnreadableLabel
 */
export function* writeLabelPages(labels: Iterable<Uint8Array>, title: string): Generator<Buffer> {
  const file = createFile();
  file.begin();
  const pages: number[] = [];
  for (const bytes of labels) {
    const page = FIRST_PAGE + OBJECTS_PER_PAGE * pages.length;
    const { content, image, entries } = drawLabel(readPicture(bytes));
    const resources = `/Resources<</XObject<</L ${page + 2} 0 R>>>>`;
    file.object(page, `<</Type/Page/Parent ${PAGES} 0 R/Contents ${page + 1} 0 R${resources}>>`);
    file.stream(page + 1, content);
    file.stream(page + 2, image, entries);
    pages.push(page);
    yield file.take() ?? Buffer.alloc(0);
  }
  const kids = pages.map((page) => `${page} 0 R`).join(" ");
  const box = `[0 0 ${LABEL_SIZE.width} ${LABEL_SIZE.height}]`;
  file.object(PAGES, `<</Type/Pages/Count ${pages.length}/Kids[${kids}]/MediaBox${box}>>`);
  file.object(
    CATALOG,
    `<</Type/Catalog/Pages ${PAGES} 0 R/ViewerPreferences<</PrintScaling/None/PickTrayByPDFSize true/Duplex/Simplex/DisplayDocTitle true>>>>`,
  );
  file.object(INFO, `<</Title${literal(title)}>>`);
  yield file.end({ catalog: CATALOG, info: INFO });
}

type DrawnPicture = { content: string; image: Uint8Array; entries: string };

/** A picture that is wider than high lies on its side, with the top of the label at its left. */
function drawLabel(picture: Picture): DrawnPicture {
  const isOnSide = picture.width > picture.height;
  const [short, long] = isOnSide ? [picture.height, picture.width] : [picture.width, picture.height];
  const kept = keepInk(picture, isOnSide, (short * LABEL_SIZE.height) / LABEL_SIZE.width);
  const [columns, rows] = isOnSide ? [Math.min(kept, long), short] : [short, Math.min(kept, long)];
  const scale = Math.min(LABEL_SIZE.width / short, LABEL_SIZE.height / Math.min(kept, long));
  const [width, height] = [short * scale, Math.min(kept, long) * scale];
  const [left, bottom] = [(LABEL_SIZE.width - width) / 2, LABEL_SIZE.height - height];
  const matrix = isOnSide
    ? [0, -height, width, 0, left, LABEL_SIZE.height]
    : [width, 0, 0, height, left, bottom];
  return {
    content: `${matrix.map(number).join(" ")} cm /L Do`,
    ...packPicture(picture, { columns, rows }),
  };
}

/** A frame may extend a little beyond six inches: as much of it is left off, so that bars keep their size. */
const FRAME = 0.01;

/** Pixels of the long side that a page shows: six inches, or all that is printed on if it is more. */
function keepInk(picture: Picture, isOnSide: boolean, limit: number): number {
  const { width, height, pixels } = picture;
  const ink = findInk(picture);
  const [across, along] = isOnSide ? [width, 1] : [1, width];
  const [short, long] = isOnSide ? [height, width] : [width, height];
  const whole = Math.round(limit);
  let inked = Math.min(whole, long);
  for (let line = 0; line < short; line += 1)
    for (let place = long - 1; place >= inked; place -= 1)
      if (ink[pixels[line * across + place * along] ?? 0] === 1) inked = place + 1;
  return inked > whole * (1 + FRAME) ? inked : whole;
}
