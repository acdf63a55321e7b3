import { drawLabel, type LabelFacts } from "./label-art.ts";
import { writeZpl } from "./label-zpl.ts";
import { encodeGif, encodePng } from "./pictures.ts";
import type { LabelImage } from "./records.ts";

/** Makes a label's bytes, once; the simulator stores them. */
export function makeLabel(format: LabelImage["format"], facts: LabelFacts): LabelImage {
  if (format === "ZPL") return { format, content: writeZpl(facts) };
  const picture = drawLabel(facts);
  return { format, content: format === "GIF" ? encodeGif(picture) : encodePng(picture) };
}

/** A page to print a picture on letter paper, with a fold line. */
export const labelPage = (tracking: string, { format, content }: LabelImage): string => {
  const type = format === "GIF" ? "image/gif" : "image/png";
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN">
<html><head><title>View/Print Label</title></head><body>
<h1>View/Print Label</h1>
<ol><li>Print the label on letter paper.</li><li>Fold the page at the line below.</li><li>Simulated: not for shipping.</li></ol>
<hr><p>FOLD HERE</p>
<img alt="Label ${tracking}" src="data:${type};base64,${content.toString("base64")}" height="392" width="651">
</body></html>`;
};
