export { claimedKey, createAuthorize } from "#features/programs/api-keys/authorize-call.ts";
export { apiKeyRoutes } from "#features/programs/api-keys/routes.ts";
export { webhookRuns } from "#features/programs/handlers.ts";
export { createKeeper, removeOldAnswers } from "#features/programs/idempotency/keep-answers.ts";
export { measureAnswers } from "#features/programs/idempotency/store.ts";
export { addEvent, removeOldWebhookMessages } from "#features/programs/webhooks/add-event.ts";
export { webhookRoutes } from "#features/programs/webhooks/routes.ts";
export { findWebhookKeys, renewWebhookSeals } from "#features/programs/webhooks/seals.ts";
