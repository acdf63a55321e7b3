export { legalRoutes } from "#features/legal/routes.ts";
