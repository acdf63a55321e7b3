/** Paths with a page of their own. With or without a trailing slash; any other path is the 404 page. */
export const PAGE_PATHS = [
  "/",
  "/app",
  "/add-in",
  "/settings",
  "/payment-completion",
  "/label",
  "/ups-callback",
  "/get-app",
  "/disconnect",
  "/end-user-license-agreement",
  "/privacy-policy",
  "/contact",
  "/controller",
  "/login/failed",
  "/logout/confirm",
] as const;

/**
 * Everything that answers outside the table of endpoints and is no page. A route that is in neither list nor the table
 * stops the start.
 */
export const PUBLIC_ROUTES = [
  "GET /login/",
  "GET /oauth/intuit/callback",
  "GET /logout/",
  "POST /logout/",
  "GET /get-app/connect",
  "GET /templates/invoice-upload.xlsx",
  "GET /templates/gs1-128-labels.xlsx",
  "GET /templates/samples/*",
  "GET /assets/*",
  "POST /stripe/webhook",
  "GET /images/*",
  "GET /before-script.js",
  "GET /plain.css",
] as const;
