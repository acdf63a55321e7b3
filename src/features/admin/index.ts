export { adminRoutes } from "#features/admin/routes.ts";
