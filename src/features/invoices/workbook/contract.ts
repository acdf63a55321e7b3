import { sheetEndpoints } from "#features/sheets/contract.ts";
import { MAX_UPLOAD_BYTES } from "#features/invoices/contract.ts";

export const { readColumns, listColumnChoices, chooseColumns, readDateOrder, chooseDateOrder } =
  sheetEndpoints({
    path: "/api/v1/invoices",
    maxBytes: MAX_UPLOAD_BYTES,
  });
