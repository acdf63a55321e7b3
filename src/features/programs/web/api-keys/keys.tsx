import { GROUP_OF, KEY_SCOPES, type KeyScope } from "#contract/endpoint.ts";
import { type ApiKey, makeKey, revokeKey } from "#features/programs/api-keys/contract.ts";
import { keyWords as words } from "#features/programs/web/api-keys/words.ts";
import { Checks } from "#features/programs/web/checks.tsx";
import { Secret } from "#features/programs/web/secret.tsx";
import { keysQuery } from "#features/programs/web/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatLocalDay, formatZoned } from "#web/kit/format.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { Question } from "#web/kit/dialog.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

type Props = { realmId: string };

/** A company's API keys: made, named, listed with their last use, and revoked. */
export function Keys({ realmId }: Props) {
  const { data, error, isPending, refetch } = useQuery(keysQuery(realmId));
  // Only in this component: it is gone when the row is closed. Kept while another one fails.
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [asked, setAsked] = useState<ApiKey | null>(null);
  const keys = data?.keys ?? [];
  return (
    <>
      {created ? (
        <Secret
          key={created.key.id}
          title={words.made(created.key.name)}
          secret={created.secret}
          label={words.secret}
          copy={words.copy}
          note={words.once}
        />
      ) : null}
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={words.row.loading} rows={2} columns={2} height={61}>
        {keys.length > 0 ? (
          <TextTable label={words.list} heads={words.heads} isComplete>
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRevoke={() => setAsked(key)} />
            ))}
          </TextTable>
        ) : null}
      </Skeleton>
      <NewKey realmId={realmId} onMade={setCreated} />
      <Box
        component="p"
        sx={{ mt: 2, typography: "caption", color: "text.caption", overflowWrap: "anywhere" }}
      >
        {words.use(window.location.origin)}
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
  const [, can, used] = words.heads;
  return (
    <tr>
      <td style={{ overflowWrap: "anywhere" }}>
        <b>{name}</b>
        <Box sx={{ typography: "caption", color: "text.caption" }}>
          {words.facts(ending, apiKey.created_by, formatLocalDay(apiKey.created_at))}
        </Box>
      </td>
      <td data-head={can}>{words.can(apiKey.scopes.map((scope) => words.scopes[scope]))}</td>
      <td data-head={used}>{usedAt === null ? words.unused : formatZoned(usedAt)}</td>
      <td style={{ textAlign: "right" }}>
        {revokedAt === null ? (
          <BusyButton
            variant="text"
            color="error"
            size="small"
            label={words.revoke}
            detail={name}
            isBusy={false}
            onClick={onRevoke}
          />
        ) : (
          words.revokedAt(formatLocalDay(revokedAt))
        )}
      </td>
    </tr>
  );
}

type CreatedKey = { key: ApiKey; secret: string };

function NewKey({ realmId, onMade }: Props & { onMade: (created: CreatedKey) => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const { groups } = useSession();
  const open = KEY_SCOPES.filter((scope) => {
    const group = GROUP_OF[scope];
    return group === undefined || groups.includes(group);
  });
  const [scopes, setScopes] = useState<readonly KeyScope[]>(open.slice(-1));
  const make = useMutation({
    mutationFn: (named: string) =>
      call(makeKey, { query: { realm_id: realmId }, body: { name: named, scopes: [...scopes] } }),
    onSuccess: (reply) => {
      setName("");
      onMade(reply);
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
      <Box component="form" noValidate aria-label={words.new} onSubmit={submit}>
        <Box component="p" aria-hidden sx={{ m: 0, mb: 1, fontWeight: 700 }}>
          {words.new}
        </Box>
        <TextInput
          label={words.name}
          placeholder={words.example}
          autoComplete="off"
          maxLength={60}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Checks legend={words.scopes.legend}>
          {open.map((scope) => (
            <Choice
              key={scope}
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes((before) =>
                  target.checked ? [...before, scope] : before.filter((each) => each !== scope),
                )
              }
            >
              {words.scopes[scope]}
            </Choice>
          ))}
        </Checks>
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
