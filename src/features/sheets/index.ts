export { receiveFile } from "#features/sheets/receive-file.ts";
export { sheetRoutes } from "#features/sheets/routes.ts";
export { runForRequest } from "#features/sheets/run-for-request.ts";
export { findColumnChoices, findDateOrder } from "#features/sheets/store.ts";
