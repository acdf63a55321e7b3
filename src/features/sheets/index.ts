export { chooseColumns, readColumns } from "#features/sheets/choose-columns.ts";
export { chooseDateOrder } from "#features/sheets/choose-date-order.ts";
export { receiveFile } from "#features/sheets/receive-file.ts";
export { runForRequest } from "#features/sheets/run-for-request.ts";
export { findColumnChoices, findDateOrder, listColumnChoices } from "#features/sheets/store.ts";
