import type { SessionCompany } from "#features/identity/contract.ts";
import { copyProfile, removeProfile, type ProfileView } from "#features/labels/profiles/contract.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { labelProfilesQuery } from "#features/labels/web/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { useDraft } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";

const words = labelWords.profiles;

/** Loaded when a profile is first edited. */
const ProfileEditor = lazy(async () => ({
  default: (await import("#features/labels/web/profiles/profile-editor.tsx")).ProfileEditor,
}));

/** Profiles that labels can be made with; the company admin makes own ones of them. */
export function ProfilesCard({ company }: { company: SessionCompany }) {
  const { isCompanyAdmin } = useSession();
  const { data, error, refetch } = useQuery(labelProfilesQuery(company.id));
  const [edited, setEdited, close] = useDraft(`label-profile.${company.id}`);
  const { copy, remove } = useChanges(company.id, ({ id }) => setEdited(id));
  const profile = data?.profiles.find(({ id }) => id === edited);
  const failed = copy.error ?? remove.error;
  return (
    <Card title={words.title} note={words.note} printed={false}>
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      <Box component="ul" sx={LIST}>
        {data?.profiles.map((each) => (
          <ListRow key={each.id} name={each.name} facts={[each.version === 0 ? words.builtIn : words.own]}>
            {isCompanyAdmin ? (
              <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
                <BusyButton
                  variant="text"
                  label={words.copy}
                  detail={each.name}
                  isBusy={copy.isPending && copy.variables.id === each.id}
                  onClick={() => copy.mutate(each)}
                />
                {each.version === 0 ? null : (
                  <>
                    <BusyButton
                      variant="text"
                      label={words.edit}
                      detail={each.name}
                      isBusy={false}
                      onClick={() => setEdited(each.id)}
                    />
                    <BusyButton
                      variant="text"
                      label={words.remove}
                      detail={each.name}
                      isBusy={remove.isPending && remove.variables.id === each.id}
                      onClick={() => remove.mutate(each)}
                    />
                  </>
                )}
              </Box>
            ) : null}
          </ListRow>
        ))}
      </Box>
      <FailedCall error={failed} />
      {data && profile ? (
        <Suspense fallback={<Spinner label={words.loading} />}>
          <ProfileEditor
            key={`${profile.id} ${profile.version}`}
            realmId={company.id}
            profile={profile}
            lists={data}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </Card>
  );
}

function useChanges(realmId: string, onCopied: (copied: ProfileView) => void) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const readAgain = () => queries.invalidateQueries({ queryKey: queryKeys.labels(realmId) });
  const copy = useMutation({
    mutationFn: ({ id, name }: ProfileView) =>
      call(copyProfile, { body: { from: id, name: words.copyName(name).slice(0, 60) } }),
    onSuccess: async (copied) => {
      await readAgain();
      announce(words.copied(copied.name));
      onCopied(copied);
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: ProfileView) => call(removeProfile, { params: { profile_id: id } }),
    onSuccess: (_, { name }) => {
      announce(words.removed(name));
      return readAgain();
    },
  });
  return { copy, remove };
}
