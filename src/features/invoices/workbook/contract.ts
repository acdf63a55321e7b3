import { sheetEndpoints } from "#features/sheets/contract.ts";

export const { readColumns, listColumnChoices, chooseColumns, readDateOrder, chooseDateOrder } =
  sheetEndpoints({ path: "/api/v1/invoices" });
