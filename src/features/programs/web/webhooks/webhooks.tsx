import {
  removeWebhook,
  replaceSecret,
  replayFailed,
  saveWebhook,
  testWebhook,
  type Webhook,
} from "#features/programs/webhooks/contract.ts";
import { webhooksQuery } from "#features/programs/web/queries.ts";
import { Messages } from "#features/programs/web/webhooks/messages.tsx";
import { NewWebhook, WebhookSecret } from "#features/programs/web/webhooks/new-webhook.tsx";
import { webhookWords as words } from "#features/programs/web/webhooks/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment } from "#web/kit/format.ts";
import { LIST } from "#web/kit/lists.tsx";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";
import { Question } from "#web/kit/dialog.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

type Props = { realmId: string };

/** A company's webhooks: added, listed with their last messages, tested, and deleted. */
export function Webhooks({ realmId }: Props) {
  const { data, error, isPending, refetch } = useQuery(webhooksQuery(realmId));
  const [asked, setAsked] = useState<Webhook | null>(null);
  const webhooks = data?.webhooks ?? [];
  const messages = data?.messages ?? [];
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={words.row.loading} rows={2} columns={2} height={61}>
        <Box component="ul" aria-label={words.list} sx={LIST}>
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              realmId={realmId}
              webhook={webhook}
              hasFailed={messages.some(
                ({ endpoint_id, state }) => endpoint_id === webhook.id && state === "failed",
              )}
              onRemove={() => setAsked(webhook)}
            />
          ))}
        </Box>
      </Skeleton>
      <NewWebhook realmId={realmId} />
      {webhooks.length > 0 ? <Messages realmId={realmId} webhooks={webhooks} messages={messages} /> : null}
      {asked === null ? null : (
        <Question
          title={words.removeTitle}
          keep={words.keep}
          confirm={words.confirm}
          change={() => call(removeWebhook, { query: { realm_id: realmId, endpoint_id: asked.id } })}
          done={words.removed}
          changed={[queryKeys.webhooks(realmId)]}
          onClose={() => setAsked(null)}
        >
          <Box component="p" sx={{ overflowWrap: "anywhere" }}>
            {words.removeText(asked.url)}
          </Box>
        </Question>
      )}
    </>
  );
}

type RowProps = Props & { webhook: Webhook; hasFailed: boolean; onRemove: () => void };

function WebhookRow({ realmId, webhook, hasFailed, onRemove }: RowProps) {
  const { id, url, events, state } = webhook;
  const query = { realm_id: realmId, endpoint_id: id };
  const isOn = state === "active";
  const changed = [queryKeys.webhooks(realmId)];
  const test = useCommand(() => call(testWebhook, { query }), { done: words.tested, changed });
  const turnOn = useCommand(() => call(saveWebhook, { query, body: { url, events } }), {
    done: words.turnedOn,
    changed,
  });
  const replace = useCommand(() => call(replaceSecret, { query }), { done: words.replaced, changed });
  const replay = useCommand(
    // All that are kept.
    () => call(replayFailed, { query, body: { since: new Date(0).toISOString() } }),
    { done: ({ messages }) => words.replayedFailed(messages), changed },
  );
  return (
    <Box component="li" sx={{ py: 2, borderBottom: 1, borderColor: "divider", overflowWrap: "anywhere" }}>
      <b>{url}</b>
      <Box sx={{ typography: "caption", color: "text.caption" }}>{listFacts(webhook).join(" · ")}</Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1, mt: 0.5, ml: -1 }}>
        {isOn ? (
          <BusyButton
            variant="text"
            size="small"
            label={words.test}
            detail={url}
            isBusy={test.isPending}
            onClick={() => test.mutate()}
          />
        ) : (
          <BusyButton
            variant="text"
            size="small"
            label={words.turnOn}
            detail={url}
            isBusy={turnOn.isPending}
            onClick={() => turnOn.mutate()}
          />
        )}
        {isOn && hasFailed ? (
          <BusyButton
            variant="text"
            size="small"
            label={words.replayFailed}
            detail={url}
            isBusy={replay.isPending}
            onClick={() => replay.mutate()}
          />
        ) : null}
        <BusyButton
          variant="text"
          size="small"
          label={words.replace}
          detail={url}
          isBusy={replace.isPending}
          onClick={() => replace.mutate()}
        />
        <BusyButton
          variant="text"
          size="small"
          color="error"
          label={words.remove}
          detail={url}
          isBusy={false}
          onClick={onRemove}
        />
      </Box>
      {replace.data ? (
        <WebhookSecret title={words.replaced} secret={replace.data.secret} note={words.overlap} />
      ) : null}
      <FailedCall error={test.error ?? turnOn.error ?? replace.error ?? replay.error} />
    </Box>
  );
}

function listFacts({ events, state, ...more }: Webhook): string[] {
  const { failing_since: failingSince, old_secret_until: until } = more;
  return [
    words.states[state],
    words.sends(events),
    ...(failingSince === null ? [] : [words.failingSince(formatMoment(failingSince))]),
    ...(until === null || Date.parse(until) < Date.now() ? [] : [words.bothUntil(formatMoment(until))]),
    words.createdBy(more.created_by, formatMoment(more.created_at)),
  ];
}
