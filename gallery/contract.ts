import { endpoint } from "#contract/endpoint.ts";
import * as z from "zod";

const fileParams = z.object({ filename: z.string() });

/** Document paths of Labels that the gallery needs for its buttons. */
export const samplePackingSlip = endpoint({
  method: "GET",
  path: "/api/v1/labels/packing-slip/:filename",
  summary: "A packing slip",
  access: { kind: "member", group: "brainchild" },
  params: fileParams,
  response: { mediaType: "application/pdf" },
});

export const sampleCarrierLabel = endpoint({
  method: "GET",
  path: "/api/v1/labels/ups-label/:filename",
  summary: "A carrier label",
  access: { kind: "member", group: "brainchild" },
  params: fileParams,
  response: { mediaType: "application/pdf" },
});
