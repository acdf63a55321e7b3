import { LABEL_SIZE } from "../label/drawing.ts";
import { literal } from "../pdf/content.ts";
import { createFile, number } from "../pdf/file.ts";
import { findInk, type Picture } from "./picture.ts";
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
  const { image, bits, colors } = pack(picture, columns, rows);
  const scale = Math.min(LABEL_SIZE.width / short, LABEL_SIZE.height / Math.min(kept, long));
  const [width, height] = [short * scale, Math.min(kept, long) * scale];
  const [left, bottom] = [(LABEL_SIZE.width - width) / 2, LABEL_SIZE.height - height];
  const matrix = isOnSide
    ? [0, -height, width, 0, left, LABEL_SIZE.height]
    : [width, 0, 0, height, left, bottom];
  const palette = `[/Indexed/DeviceRGB ${colors.length / 3 - 1}<${Buffer.from(colors).toString("hex")}>]`;
  return {
    content: `${matrix.map(number).join(" ")} cm /L Do`,
    image,
    entries: `/Type/XObject/Subtype/Image/Width ${columns}/Height ${rows}/BitsPerComponent ${bits}/ColorSpace${palette}`,
  };
}

/** A frame may stand a little beyond six inches: as much of it is left off, so that bars keep their size. */
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

type Packed = { image: Uint8Array; bits: number; colors: Uint8Array };

/** Packs a corner of a picture into as few bits a pixel as its colors need; the rows of a PDF begin at bytes. */
function pack(picture: Picture, columns: number, rows: number): Packed {
  const { width, pixels } = picture;
  const { indices, colors } = listColors(picture);
  const bits = [1, 2, 4].find((each) => colors.length / 3 <= 2 ** each) ?? 8;
  const perByte = 8 / bits;
  const rowBytes = Math.ceil(columns / perByte);
  const image = new Uint8Array(rowBytes * rows);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += perByte) {
      const from = row * width + column;
      const count = Math.min(perByte, columns - column);
      let byte = 0;
      for (let step = 0; step < count; step += 1)
        byte = (byte << bits) | (indices[pixels[from + step] ?? 0] ?? 0);
      image[row * rowBytes + column / perByte] = byte << (bits * (perByte - count));
    }
  return { image, bits, colors };
}

/** Black and white are packed as they are. */
const TWO = Uint8Array.of(0, 1);

/** Colors in use, and the new index of each old one. */
function listColors({ pixels, palette }: Picture): { indices: Uint8Array; colors: Uint8Array } {
  if (palette.length === 6) return { indices: TWO, colors: palette };
  const used = new Uint8Array(256);
  // By index: a million pixels take fifteen times as long by their iterator.
  for (let at = 0; at < pixels.length; at += 1) used[pixels[at] ?? 0] = 1;
  const indices = new Uint8Array(256);
  const colors: number[] = [];
  for (let index = 0; index < 256; index += 1) {
    if (used[index] === 0) continue;
    indices[index] = colors.length / 3;
    const [red = 255, green = 255, blue = 255] = palette.subarray(3 * index, 3 * index + 3);
    colors.push(red, green, blue);
  }
  return { indices, colors: Uint8Array.from(colors) };
}
