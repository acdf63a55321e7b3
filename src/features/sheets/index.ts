export { receiveFile } from "#features/sheets/read-file.ts";
export { busyReply, readForRequest, readInThread } from "#features/sheets/read-file.ts";
export { sheetRoutes } from "#features/sheets/routes.ts";
export { findColumnChoices, findColumnChoosers, findDateOrder } from "#features/sheets/store.ts";
