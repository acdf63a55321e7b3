import { unknownNamesQuery } from "#features/invoices/web/names/queries.ts";
import { acme, type Said } from "./stage.tsx";

/** Names of an upload or a check that the books do not have: one with similar entries, one without. */
export function unknownNames(uploadId: string, version = 0): Said {
  return {
    key: unknownNamesQuery(acme.id, uploadId, version).queryKey,
    data: {
      pageParams: [0],
      pages: [
        {
          total_count: 2,
          next: null,
          names: [
            {
              kind: "customer",
              text: "Acmee",
              rows: "4, 7",
              count: 2,
              unlocks: 2,
              suggestions: [
                { id: "7", name: "Acme" },
                { id: "8", name: "Acme Tools East" },
              ],
            },
            { kind: "item", text: "WIDGET-9", rows: "5", count: 1, unlocks: 1, suggestions: [] },
          ],
        },
      ],
    },
  };
}
