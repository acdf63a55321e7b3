import { KEY_SCOPES, type KeyScope } from "#contract/endpoint.ts";
import { type ApiKey, listKeys, makeKey, revokeKey } from "#features/companies/api-keys/contract.ts";
import { keyWords as words } from "#features/companies/web/api-keys/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatDateTime } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { Question } from "#web/kit/question.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

type Props = { realmId: string };

/** A company's API keys: made, named, listed with their last use, and revoked. */
export function Keys({ realmId }: Props) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.apiKeys(realmId),
    queryFn: ({ signal }) => call(listKeys, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });
  const [asked, setAsked] = useState<ApiKey | null>(null);
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={words.loading} rows={2} columns={2} height={61}>
        {data?.keys.length === 0 ? <p>{words.none}</p> : null}
        <Box component="ul" aria-label={words.list} sx={LIST}>
          {data?.keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setAsked(key)} />
          ))}
        </Box>
      </Skeleton>
      <NewKey realmId={realmId} />
      <Box
        component="p"
        sx={{ mb: 0, typography: "caption", color: "text.caption", overflowWrap: "anywhere" }}
      >
        {words.use(window.location.origin)} <PlainLink href="/api/">{words.reference}</PlainLink>
      </Box>
      {asked === null ? null : (
        <Question
          title={words.revokeTitle(asked.name)}
          keep={words.keep}
          confirm={words.confirm}
          change={() => call(revokeKey, { query: { realm_id: realmId, key_id: asked.id } })}
          done={words.revoked(asked.name)}
          changed={[queryKeys.apiKeys(realmId)]}
          onClose={() => setAsked(null)}
        >
          <p>{words.revokeText}</p>
        </Question>
      )}
    </>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, ending, revoked_at: revokedAt, last_used_at: usedAt } = apiKey;
  const facts = [
    words.may(apiKey.scopes.map((scope) => words.scopes[scope])),
    words.ending(ending),
    words.createdBy(apiKey.created_by, formatDateTime(apiKey.created_at)),
    usedAt === null ? words.unused : words.used(formatDateTime(usedAt)),
    ...(revokedAt === null ? [] : [words.revokedAt(formatDateTime(revokedAt))]),
  ];
  return (
    <ListRow name={name} facts={facts}>
      {revokedAt === null ? (
        <BusyButton label={words.revoke} detail={name} isBusy={false} onClick={onRevoke} />
      ) : null}
    </ListRow>
  );
}

/** The new secret is only in this component: it is gone when the section is closed. */
function NewKey({ realmId }: Props) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly KeyScope[]>(["orders"]);
  // Kept while another one fails.
  const [made, setMade] = useState<{ key: ApiKey; secret: string } | null>(null);
  const make = useMutation({
    mutationFn: (named: string) =>
      call(makeKey, { query: { realm_id: realmId }, body: { name: named, scopes: [...scopes] } }),
    onSuccess: (reply) => {
      setName("");
      setMade(reply);
      announce(words.made(reply.key.name));
      return queries.invalidateQueries({ queryKey: queryKeys.apiKeys(realmId) });
    },
  });
  const isReady = name.trim() !== "" && scopes.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !make.isPending) make.mutate(name.trim());
  };
  return (
    <>
      {made ? (
        <Notice tone="green" title={words.made(made.key.name)}>
          {words.once}
          <Box sx={{ mt: 1.5 }}>
            <TextInput
              label={words.secret}
              readOnly
              value={made.secret}
              onFocus={({ target }) => target.select()}
            />
          </Box>
        </Notice>
      ) : null}
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5, mt: 3 }}
      >
        <TextInput
          label={words.name}
          placeholder={words.example}
          autoComplete="off"
          maxLength={60}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Box component="fieldset" sx={{ flexBasis: "100%", m: 0, p: 0, border: 0 }}>
          <Box component="legend" sx={{ p: 0, fontWeight: 700 }}>
            {words.scopes.legend}
          </Box>
          {KEY_SCOPES.map((scope) => (
            <Choice
              key={scope}
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes((before) =>
                  target.checked ? [...before, scope] : before.filter((one) => one !== scope),
                )
              }
            >
              {words.scopes[scope]}
            </Choice>
          ))}
        </Box>
        <BusyButton
          type="submit"
          label={words.make}
          disabled={!isReady && !make.isPending}
          isBusy={make.isPending}
        />
      </Box>
      <FailedCall title={words.makeError} error={make.error} />
    </>
  );
}
