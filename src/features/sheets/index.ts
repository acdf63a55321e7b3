export { receiveFile } from "#features/sheets/receive-file.ts";
export { busyReply, readForRequest, readInThread } from "#features/sheets/read-in-thread.ts";
export { sheetRoutes } from "#features/sheets/routes.ts";
export { findColumnChoices, findDateOrder } from "#features/sheets/store.ts";
