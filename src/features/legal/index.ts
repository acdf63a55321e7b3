export { removeOldMessages } from "#features/legal/receive-message.ts";
export { legalRoutes } from "#features/legal/routes.ts";
