import { deflateSync } from "node:zlib";
import { cropTop, type Bitmap } from "./bitmap.ts";
import { drawUpright, LABEL_HEIGHT, type LabelFacts } from "./label-art.ts";
import { packBits } from "./pictures.ts";

/** Writes labels of 4 by 6 inches, one per page. */
export function writePdf(labels: readonly LabelFacts[]): Buffer {
  const pages = labels.map((facts) => cropTop(drawUpright(facts), LABEL_HEIGHT));
  const pageId = (at: number) => 3 + at * 3;
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(
      `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${pageId(at)} 0 R`).join(" ")}] >>`,
    ),
    ...pages.flatMap((picture, at) => pageObjects(picture, pageId(at))),
  ];
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  objects.forEach((object, at) => {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    offsets.push(length);
    length += part.length;
    parts.push(part);
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function pageObjects(picture: Bitmap, id: number): Buffer[] {
  const draw = "q 288 0 0 432 0 0 cm /L Do Q";
  const data = deflateSync(packBits(picture));
  const image = `<< /Type /XObject /Subtype /Image /Width ${picture.width} /Height ${picture.height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode /Length ${data.length} >>\nstream\n`;
  return [
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents ${id + 1} 0 R /Resources << /XObject << /L ${id + 2} 0 R >> >> >>`,
    ),
    Buffer.from(`<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`),
    Buffer.concat([Buffer.from(image), data, Buffer.from("\nendstream")]),
  ];
}
