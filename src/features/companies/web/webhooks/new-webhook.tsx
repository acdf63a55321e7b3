import { addWebhook, WEBHOOK_EVENTS, type WebhookEvent } from "#features/companies/webhooks/contract.ts";
import { webhookWords as words } from "#features/companies/web/webhooks/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

/** The new secret is only in this component: it is gone when the section is closed. */
export function NewWebhook({ realmId }: { realmId: string }) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WEBHOOK_EVENTS);
  // Kept while another one fails.
  const [secret, setSecret] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: () =>
      call(addWebhook, { query: { realm_id: realmId }, body: { url: url.trim(), events: [...events] } }),
    onSuccess: (reply) => {
      setUrl("");
      setSecret(reply.secret);
      announce(words.added);
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
      {secret === null ? null : <Secret title={words.added} secret={secret} />}
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        sx={{ display: "grid", gap: 1.5, mt: 3, maxWidth: 560 }}
      >
        <TextInput
          label={words.url}
          placeholder={words.example}
          autoComplete="off"
          inputMode="url"
          maxLength={2000}
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <Box component="fieldset" sx={{ m: 0, p: 0, border: 0 }}>
          <Box component="legend" sx={{ p: 0, fontWeight: 700 }}>
            {words.events.legend}
          </Box>
          {WEBHOOK_EVENTS.map((event) => (
            <Choice
              key={event}
              type="checkbox"
              checked={events.includes(event)}
              onChange={({ target }) =>
                setEvents((before) =>
                  WEBHOOK_EVENTS.filter((one) => (one === event ? target.checked : before.includes(one))),
                )
              }
            >
              {words.events[event]}
            </Choice>
          ))}
        </Box>
        <div>
          <BusyButton
            type="submit"
            label={words.add}
            disabled={!isReady && !add.isPending}
            isBusy={add.isPending}
          />
        </div>
      </Box>
      <FailedCall title={words.addError} error={add.error} />
    </>
  );
}

/** A secret, shown this once. */
export function Secret({ title, secret, note }: { title: string; secret: string; note?: string }) {
  return (
    <Notice tone="green" title={title}>
      {note ? `${words.once} ${note}` : words.once}
      <Box sx={{ mt: 1.5 }}>
        <TextInput label={words.secret} readOnly value={secret} onFocus={({ target }) => target.select()} />
      </Box>
    </Notice>
  );
}
