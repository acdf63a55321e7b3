import { replayMessage, type Webhook, type WebhookMessage } from "#features/programs/webhooks/contract.ts";
import { webhookWords as words } from "#features/programs/web/webhooks/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";
import Box from "@mui/material/Box";

type Props = { realmId: string; webhooks: readonly Webhook[]; messages: readonly WebhookMessage[] };

/** The last messages to a company's webhooks, each with its outcome. */
export function Messages({ realmId, webhooks, messages }: Props) {
  const replay = useCommand(
    (id: string) => call(replayMessage, { query: { realm_id: realmId, message_id: id } }),
    { done: words.replayed, changed: [queryKeys.webhooks(realmId)] },
  );
  const find = (id: string) => webhooks.find((webhook) => webhook.id === id);
  return (
    <Box component="section" aria-labelledby="webhook-messages" sx={{ mt: 4 }}>
      <Box component="p" id="webhook-messages" sx={{ m: 0, fontWeight: 700 }}>
        {words.messages}
      </Box>
      <FailedCall error={replay.error} />
      {messages.length === 0 ? <p>{words.noMessages}</p> : null}
      <Box component="ul" aria-labelledby="webhook-messages" sx={LIST}>
        {messages.map((message) => {
          const { id, event, endpoint_id: endpointId, created_at: at } = message;
          const webhook = find(endpointId);
          return (
            <ListRow
              key={id}
              name={words.event(event)}
              facts={[...describe(message), words.happened(formatMoment(at)), webhook?.url ?? ""]}
            >
              {webhook?.state === "active" ? (
                <BusyButton
                  variant="text"
                  size="small"
                  label={words.replay}
                  detail={`${words.event(event)} ${formatMoment(at)}`}
                  isBusy={replay.isPending && replay.variables === id}
                  onClick={() => replay.mutate(id)}
                />
              ) : null}
            </ListRow>
          );
        })}
      </Box>
    </Box>
  );
}

function describe({ state, answer, attempts, attempted_at: at, due_at: dueAt }: WebhookMessage): string[] {
  const tried = attempts > 1 ? [words.attempts(attempts)] : [];
  if (state === "delivered") return [words.delivered(at ? formatMoment(at) : ""), ...tried];
  if (state === "failed") return [words.failed(answer), ...tried];
  if (attempts === 0) return [words.sending];
  return [words.waiting(answer, dueAt ? formatMoment(dueAt) : ""), ...tried];
}
