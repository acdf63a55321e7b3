import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import {
  addEndpoint,
  removeEndpoint,
  replaceSecret,
  saveEndpoint,
} from "#features/programs/webhooks/change-endpoints.ts";
import * as contract from "#features/programs/webhooks/contract.ts";
import type { WebhooksCtx } from "#features/programs/webhooks/ctx.ts";
import {
  listWebhooks,
  replayFailed,
  replayMessage,
  sendTest,
} from "#features/programs/webhooks/send-messages.ts";
import type { Mount } from "#platform/http/mount.ts";

/** A company's webhooks, for its admin. */
export function webhookRoutes(mount: Mount<Caller>, ctx: WebhooksCtx): void {
  mount(contract.listWebhooks, (_input, call) => listWebhooks(ctx, currentCompany(call)));

  mount(contract.addWebhook, ({ body }, call) =>
    addEndpoint(withAudit(ctx, call), { company: currentCompany(call), user: currentUser(call), ...body }),
  );

  mount(contract.saveWebhook, ({ query, body }, call) =>
    saveEndpoint(withAudit(ctx, call), currentCompany(call), { id: query.endpoint_id, ...body }),
  );

  mount(contract.removeWebhook, ({ query }, call) =>
    removeEndpoint(withAudit(ctx, call), currentCompany(call), query.endpoint_id),
  );

  mount(contract.replaceSecret, ({ query }, call) =>
    replaceSecret(withAudit(ctx, call), currentCompany(call), query.endpoint_id),
  );

  mount(contract.testWebhook, ({ query }, call) =>
    sendTest(withAudit(ctx, call), currentCompany(call), query.endpoint_id),
  );

  mount(contract.replayMessage, ({ query }, call) =>
    replayMessage(withAudit(ctx, call), currentCompany(call), query.message_id),
  );

  mount(contract.replayFailed, ({ query, body }, call) =>
    replayFailed(withAudit(ctx, call), currentCompany(call), {
      endpointId: query.endpoint_id,
      since: new Date(body.since),
    }),
  );
}
