import { CONTACT_LIMITS, CONTACT_TOPICS, sendMessage } from "#features/legal/contract.ts";
import { legalWords } from "#features/legal/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { TextArea, TextInput } from "#web/kit/text-input.tsx";
import { useDraft } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useSearchParams } from "react-router";

const words = legalWords.contact;

/** Contact form, prefilled with name and e-mail of signed-in users and with the support id from the address. */
export function ContactForm({ onSent }: { onSent: () => void }) {
  const session = useSession();
  const [query] = useSearchParams();
  const [name, setName] = useDraft("contact.name", session.userName);
  const [email, setEmail] = useDraft("contact.email", session.email);
  const [topic, setTopic] = useDraft("contact.topic", "upload");
  const [message, setMessage, forgetMessage] = useDraft("contact.message");
  const given = query.get("support_id") ?? "";
  // Keyed by the given support id, so that a draft for an earlier failure is not used.
  const [supportId, setSupportId, forgetSupportId] = useDraft(`contact.support_id.${given}`, given);
  const sending = useMutation({
    mutationFn: () =>
      call(sendMessage, {
        body: {
          name,
          email,
          topic: CONTACT_TOPICS.find((known) => known === topic) ?? "other",
          message,
          support_id: supportId,
        },
      }),
    onSuccess: () => {
      forgetMessage();
      forgetSupportId();
      onSent();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <form onSubmit={submit}>
      <p style={{ marginTop: 0 }}>{words.intro}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mb: 2 }}>
        <TextInput
          label={words.name}
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="name"
          maxLength={CONTACT_LIMITS.name}
          required
        />
        <TextInput
          label={words.email}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoComplete="email"
          maxLength={CONTACT_LIMITS.email}
          required
        />
      </Box>
      <SelectField
        label={words.topic}
        labelAt="above"
        value={topic}
        options={CONTACT_TOPICS.map((value) => ({ value, label: words.topics[value] }))}
        onChange={setTopic}
      />
      <Box sx={{ my: 2 }}>
        <TextArea
          label={words.message}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          rows={7}
          maxLength={CONTACT_LIMITS.message}
          required
        />
      </Box>
      <TextInput
        label={words.supportId}
        value={supportId}
        onChange={(event) => setSupportId(event.target.value)}
        maxLength={CONTACT_LIMITS.supportId}
      />
      <BusyButton
        label={words.send}
        type="submit"
        variant="contained"
        isBusy={sending.isPending}
        sx={{ mt: 3 }}
      />
      <FailedCall title={words.errorTitle} error={sending.error} />
    </form>
  );
}
