import type { Reply } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { cropTop } from "./bitmap.ts";
import { drawUpright, LABEL_HEIGHT } from "./label-art.ts";
import { page } from "./page-layout.ts";
import { encodePng } from "./pictures.ts";
import { findPackage, findShipment } from "./records.ts";
import type { Simulator } from "./simulator.ts";

/** `/labels/{number}`: a label as it is printed, upright. @returns undefined for an unknown number */
export function labelView(sim: Simulator, tracking: string): Reply | undefined {
  const pack = findPackage(sim, tracking);
  const shipment = pack && findShipment(sim, pack.shipmentId);
  if (!shipment) return undefined;
  const picture = encodePng(cropTop(drawUpright({ shipment, pack }), LABEL_HEIGHT));
  return page({
    title: `Label ${tracking}`,
    content: html`<main class="narrow">
      <p><a href="/packages#${tracking}">All packages</a></p>
      <h1>Label</h1>
      <img
        alt="Label of ${tracking}, simulated"
        width="400"
        height="600"
        src="data:image/png;base64,${picture.toString("base64")}"
      />
    </main>`,
  });
}
