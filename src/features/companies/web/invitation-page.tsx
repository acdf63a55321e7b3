import {
  acceptInvitation,
  declineInvitation,
  listInvitations,
  readInvitation,
  type InvitationView,
} from "#features/companies/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Sheet } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useHeadingFocus } from "#web/kit/focus.ts";
import { SignInGate } from "#web/kit/gates.tsx";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import { signInAddress } from "#web/kit/sign-in-button.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";

const words = companyWords.invitation;

/** The answer to an invitation, with the company's id if it was accepted. */
type Answered = { company: string; realmId: string | null };
type OnAnswered = (answered: Answered) => void;

/** The invitation in `?id=`, which the mail links to, or all that are open for the signed-in user. */
export function InvitationPage() {
  const [query] = useSearchParams();
  const id = query.get("id");
  const [answered, setAnswered] = useState<Answered | null>(null);
  useHeadingFocus(answered ? "answered" : "question");
  if (answered) return <Done {...answered} />;
  return id === null ? (
    <OpenInvitations onAnswered={setAnswered} />
  ) : (
    <OneInvitation id={id} onAnswered={setAnswered} />
  );
}

function OneInvitation({ id, onAnswered }: { id: string; onAnswered: OnAnswered }) {
  const { data, error, isLoading } = useQuery({
    queryKey: queryKeys.invitation(id),
    queryFn: ({ signal }) => call(readInvitation, { query: { invitation: id }, signal }),
  });
  return (
    <>
      <PageTitle documentTitle={words.title}>{data ? words.question(data.company) : words.title}</PageTitle>
      <Sheet>
        <Loading isBusy={isLoading} label={words.loading}>
          <FailedCall title={words.overTitle} error={error} />
          {data ? (
            <Question invitation={data} onAnswered={onAnswered} />
          ) : (
            <Box sx={{ mt: 3 }}>
              <TextLink to="/invitation/">{words.others}</TextLink>
            </Box>
          )}
        </Loading>
      </Sheet>
    </>
  );
}

type QuestionProps = { invitation: InvitationView; onAnswered: OnAnswered };

function Question({ invitation, onAnswered }: QuestionProps) {
  const { authStatus, email } = useSession();
  const { accept, decline } = useAnswers(onAnswered);
  const isSignedIn = authStatus === "success";
  const isTheirs = isSignedIn && email === invitation.email;
  return (
    <>
      <p>{words.from(invitation.by ?? words.someUser, invitation.company)}</p>
      {invitation.admin && invitation.admin !== invitation.by ? <p>{words.admin(invitation.admin)}</p> : null}
      <p>{words.effect}</p>
      <p>{isSignedIn && !isTheirs ? words.otherUser(email, invitation.email) : words.to(invitation.email)}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 3 }}>
        {isTheirs ? (
          <BusyButton
            label={words.accept}
            variant="contained"
            isBusy={accept.isPending}
            onClick={() => accept.mutate(invitation)}
          />
        ) : (
          <Button variant="contained" href={signInAddress(`/invitation/?id=${invitation.id}`)}>
            {isSignedIn ? words.signInAsOther : words.signIn}
          </Button>
        )}
        <BusyButton
          label={words.decline}
          variant="outlined"
          isBusy={decline.isPending}
          onClick={() => decline.mutate(invitation)}
        />
      </Box>
      <FailedCall error={accept.error ?? decline.error} />
    </>
  );
}

function OpenInvitations({ onAnswered }: { onAnswered: OnAnswered }) {
  return (
    <>
      <PageTitle>{words.listTitle}</PageTitle>
      <SignInGate>
        <Sheet>
          <OpenList onAnswered={onAnswered} />
        </Sheet>
      </SignInGate>
    </>
  );
}

function OpenList({ onAnswered }: { onAnswered: OnAnswered }) {
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: queryKeys.invitations,
    queryFn: ({ signal }) => call(listInvitations, { signal }),
    staleTime: 0,
  });
  const { accept, decline } = useAnswers(onAnswered);
  return (
    <Loading isBusy={isLoading} label={words.loading}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      {data && data.invitations.length > 0 ? (
        <>
          <p>{words.effect}</p>
          <Box component="ul" aria-label={words.listTitle} sx={LIST}>
            {data.invitations.map((each) => (
              <ListRow key={each.id} name={each.company} facts={[words.sentBy(each.by ?? words.someUser)]}>
                <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "flex-end", gap: 1 }}>
                  <BusyButton
                    label={words.accept}
                    detail={each.company}
                    isBusy={accept.isPending && accept.variables.id === each.id}
                    onClick={() => accept.mutate(each)}
                  />
                  <BusyButton
                    label={words.decline}
                    detail={each.company}
                    isBusy={decline.isPending && decline.variables.id === each.id}
                    onClick={() => decline.mutate(each)}
                  />
                </Box>
              </ListRow>
            ))}
          </Box>
        </>
      ) : null}
      {data?.invitations.length === 0 ? <p>{words.none}</p> : null}
      <FailedCall error={accept.error ?? decline.error} />
      <Box sx={{ mt: 3 }}>
        <TextLink to="/settings/">{words.settings}</TextLink>
      </Box>
    </Loading>
  );
}

function useAnswers(onAnswered: OnAnswered) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const forget = () => queries.invalidateQueries({ queryKey: queryKeys.invitations });
  const accept = useMutation({
    mutationFn: ({ id }: InvitationView) => call(acceptInvitation, { query: { invitation: id } }),
    onSuccess: async ({ realm_id: realmId }, { company }) => {
      onAnswered({ company, realmId });
      announce(words.joined(company));
      await Promise.all([
        forget(),
        queries.invalidateQueries({ queryKey: queryKeys.user }),
        queries.invalidateQueries({ queryKey: queryKeys.companies }),
      ]);
    },
  });
  const decline = useMutation({
    mutationFn: ({ id }: InvitationView) => call(declineInvitation, { query: { invitation: id } }),
    onSuccess: async (_reply, { company }) => {
      onAnswered({ company, realmId: null });
      announce(words.declined);
      await forget();
    },
  });
  return { accept, decline };
}

function Done({ company, realmId }: Answered) {
  const { companies, groups, switchCompany } = useSession();
  const navigate = useNavigate();
  if (realmId === null)
    return (
      <>
        <PageTitle>{words.declined}</PageTitle>
        <Sheet>
          <p>{words.nothingChanged(company)}</p>
          <TextLink to="/">{words.home}</TextLink>
        </Sheet>
      </>
    );
  const work = () => {
    switchCompany(realmId);
    void navigate(
      groups.includes("app") ? "/app/" : groups.includes("brainchild") ? "/label/" : "/settings/",
    );
  };
  return (
    <>
      <PageTitle documentTitle={words.title}>{words.joined(company)}</PageTitle>
      <Sheet>
        {companies.length > 1 ? <p>{words.howToSwitch}</p> : null}
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3, mt: 3 }}>
          <Button
            variant="contained"
            disabled={!companies.some(({ id }) => id === realmId)}
            onClick={work}
            sx={{ overflowWrap: "anywhere" }}
          >
            {words.work(company)}
          </Button>
          <TextLink to="/settings/">{words.settings}</TextLink>
        </Box>
      </Sheet>
    </>
  );
}
