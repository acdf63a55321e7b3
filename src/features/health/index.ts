export { healthRoutes } from "#features/health/routes.ts";
