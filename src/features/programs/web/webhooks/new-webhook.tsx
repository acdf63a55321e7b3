import { addWebhook, WEBHOOK_EVENTS, type WebhookEvent } from "#features/programs/webhooks/contract.ts";
import { Checks } from "#features/programs/web/checks.tsx";
import { Secret } from "#features/programs/web/secret.tsx";
import { webhookWords as words } from "#features/programs/web/webhooks/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

/** The new secret is only in this component: it is gone when the section is closed. */
export function NewWebhook({ realmId }: { realmId: string }) {
  const queries = useQueryClient();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WEBHOOK_EVENTS);
  // Stays visible if adding another webhook fails.
  const [secret, setSecret] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: () =>
      call(addWebhook, { query: { realm_id: realmId }, body: { url: url.trim(), events: [...events] } }),
    onSuccess: (reply) => {
      setUrl("");
      setSecret(reply.secret);
      return queries.invalidateQueries({ queryKey: queryKeys.webhooks(realmId) });
    },
  });
  const isReady = url.trim() !== "" && events.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !add.isPending) add.mutate();
  };
  return (
    <>
      {secret === null ? null : <WebhookSecret title={words.added} secret={secret} />}
      <Box component="form" noValidate aria-label={words.new} onSubmit={submit}>
        <Box component="p" aria-hidden sx={{ m: 0, mb: 1, fontWeight: 700 }}>
          {words.new}
        </Box>
        <TextInput
          label={words.url}
          placeholder={words.example}
          autoComplete="off"
          inputMode="url"
          maxLength={2000}
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <Checks legend={words.events.legend}>
          {WEBHOOK_EVENTS.map((event) => (
            <Choice
              key={event}
              type="checkbox"
              checked={events.includes(event)}
              onChange={({ target }) =>
                setEvents((before) =>
                  WEBHOOK_EVENTS.filter((each) => (each === event ? target.checked : before.includes(each))),
                )
              }
            >
              {words.events[event]}
            </Choice>
          ))}
        </Checks>
        <BusyButton
          type="submit"
          label={words.add}
          disabled={!isReady && !add.isPending}
          isBusy={add.isPending}
        />
      </Box>
      <FailedCall title={words.addError} error={add.error} />
    </>
  );
}

export const WebhookSecret = ({ title, secret, note }: { title: string; secret: string; note?: string }) => (
  <Secret
    key={secret}
    title={title}
    secret={secret}
    label={words.secret}
    copy={words.copy}
    note={note ? `${words.once} ${note}` : words.once}
  />
);
