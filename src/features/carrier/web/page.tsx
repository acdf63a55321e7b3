import { finishLink } from "#features/carrier/contract.ts";
import { accountDraft } from "#features/carrier/web/draft.ts";
import { carrierWords } from "#features/carrier/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { errorMessage } from "#web/kit/api-error.ts";
import { Sheet } from "#web/kit/card.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { SignInGate } from "#web/kit/gates.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { openDraft } from "#web/kit/use-draft.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

const words = carrierWords.callback;

/** Page that UPS redirects the user to. */
export function CarrierCallbackPage() {
  const answer = useAnswer();
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <SignInGate>
        <Sheet>{answer.body ? <Completing body={answer.body} /> : <Failed message={answer.message} />}</Sheet>
      </SignInGate>
    </>
  );
}

type Body = { code: string; state: string };
type Answer = { body: Body; message: null } | { body: null; message: string };

/** Reads the address once, and clears it: a code is good once, and an address is copied, logged and reported. */
function useAnswer(): Answer {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [answer] = useState(() => readAnswer(new URLSearchParams(search)));
  useEffect(() => {
    const isFromUps = ["code", "state", "error"].some((name) => new URLSearchParams(search).has(name));
    if (isFromUps) void navigate(pathname, { replace: true });
  }, [pathname, search, navigate]);
  return answer;
}

function readAnswer(query: URLSearchParams): Answer {
  const [code, state] = [query.get("code"), query.get("state")];
  if (code && state) return { body: { code, state }, message: null };
  return { body: null, message: query.get("error_description") ?? words.incomplete };
}

/** Sends the code once, however often the page is drawn, and goes on to Settings. */
function Completing({ body }: { body: Body }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { switchCompany } = useSession();
  const { data, error } = useQuery({
    queryKey: ["ups", body.state],
    queryFn: () => call(finishLink, { body }),
    retry: false,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  useEffect(() => {
    if (!data) return;
    for (const queryKey of [queryKeys.companies, queryKeys.user])
      void queries.invalidateQueries({ queryKey });
    openDraft(accountDraft(data.realm_id)).forget();
    switchCompany(data.realm_id);
    const state = { connectedUpsOf: data.realm_id };
    void navigate("/settings/?section=tracking", { replace: true, state });
  }, [data, navigate, queries, switchCompany]);
  if (error) return <Failed message={errorMessage(error)} />;
  return (
    <>
      <p role="status">{words.completing}</p>
      <Spinner label={words.completing} />
    </>
  );
}

function Failed({ message }: { message: string | null }) {
  return (
    <>
      <ErrorBlock title={words.error} message={message ?? words.incomplete} />
      <TextLink to="/settings/?section=tracking">{words.settings}</TextLink>
    </>
  );
}
