import { writePdf } from "./label-pdf.ts";
import { labelPage, makeLabel } from "./labels.ts";
import { SAMPLE } from "./sample-label.ts";
import { UpsFault } from "./replies.ts";

const PDF_NUMBER = "1Z12345E8791315509";
const HTML_NUMBER = "1Z12345E8791315413";

/** Label recovery of the test environment: two fixed numbers. @throws UpsFault for all others */
export function recoverInCie(number: string): object {
  if (number !== PDF_NUMBER && number !== HTML_NUMBER)
    throw new UpsFault(400, "300007", "No shipment found, or it is not yet processed");
  const gif = makeLabel("GIF", SAMPLE);
  const image =
    number === PDF_NUMBER
      ? { LabelImageFormat: { Code: "pdf" }, GraphicImage: writePdf([SAMPLE]).toString("base64") }
      : {
          LabelImageFormat: { Code: "gif" },
          GraphicImage: gif.content.toString("base64"),
          HTMLImage: Buffer.from(labelPage(number, gif)).toString("base64"),
        };
  return {
    ShipmentIdentificationNumber: number,
    LabelResults: { TrackingNumber: number, LabelImage: image },
  };
}
