import { readConnection } from "#features/companies/contract.ts";
import { CompanyQuestion, useCompany } from "#features/companies/web/company-question.tsx";
import { DisconnectForm, type Disconnection } from "#features/companies/web/disconnect-form.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { useHeadingFocus } from "#web/kit/focus.ts";
import { formatMoment } from "#web/kit/format.ts";
import { PageTitle } from "#web/kit/page-head.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Sheet } from "#web/kit/card.tsx";
import { SignInGate } from "#web/kit/gates.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";

const words = companyWords.disconnect;

/** A disconnected company, no longer in the list. */
type Done = Disconnection & { name: string };
type OnDone = (done: Done) => void;

/**
 * Disconnects a company: the one in `?realm_id=`, or the current one. Intuit sends users who disconnected in
 * QuickBooks here with `?realmId=`. They see the result, or confirm if our connection still exists.
 */
export function DisconnectPage() {
  const [query] = useSearchParams();
  const [done, setDone] = useState<Done | null>(null);
  const atIntuit = query.get("realmId");
  useHeadingFocus(done ? "done" : "question");
  return (
    <>
      {done ? (
        <Ended title={words.done(done.name)}>
          <p>{words.revokedAt(formatMoment(done.at))}</p>
          {done.waitingUploads > 0 ? <p>{words.waitingCount(done.waitingUploads)}</p> : null}
        </Ended>
      ) : atIntuit !== null ? (
        <FromIntuit realmId={atIntuit} onDone={setDone} />
      ) : (
        <Chosen realmId={query.get("realm_id")} onDone={setDone} />
      )}
    </>
  );
}

/** Polling interval in ms while QuickBooks does not answer. */
const ASK_AGAIN_MS = 5_000;

const isKnown = (answer: { connection: string } | undefined) =>
  answer !== undefined && answer.connection !== "unknown";

function FromIntuit({ realmId, onDone }: { realmId: string; onDone: OnDone }) {
  const { companies, companyCount, authStatus } = useSession();
  const company = companies.find(({ id }) => id === realmId) ?? null;
  // The user has just disconnected in QuickBooks, and Intuit does not notify us.
  const { data, isLoading } = useQuery({
    queryKey: queryKeys.connection(realmId),
    queryFn: ({ signal }) => call(readConnection, { query: { realm_id: realmId }, signal }),
    enabled: company !== null,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (isKnown(state.data) ? false : ASK_AGAIN_MS),
  });
  const isUnsure = !company && companies.length < companyCount;
  if (authStatus === "unknown" || authStatus === "loading" || isLoading || isUnsure) return <Loading />;
  if (!company) return <NotTheirs />;
  if (data?.connection === "reconnect_needed")
    return (
      <Ended title={words.done(company.name)}>
        <p>{words.atIntuit(company.name)}</p>
        <p>{words.waiting}</p>
      </Ended>
    );
  return (
    <Confirmation company={company} onDone={onDone}>
      <p>{isKnown(data) ? words.stillConnected(company.name) : words.noAnswer(company.name)}</p>
    </Confirmation>
  );
}

function Chosen({ realmId, onDone }: { realmId: string | null; onDone: OnDone }) {
  const company = useCompany(realmId);
  if (company === undefined) return <Loading />;
  return <Confirmation company={company} onDone={onDone} />;
}

function Loading() {
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <Spinner label={words.loading} />
    </>
  );
}

type ConfirmationProps = { company: SessionCompany | null; onDone: OnDone; children?: ReactNode };

function Confirmation({ company, onDone, children }: ConfirmationProps) {
  const { companies } = useSession();
  return (
    <CompanyQuestion
      words={words}
      company={company}
      unknown={companies.length === 0 ? words.none : words.unknown}
    >
      {(found) => (
        <>
          {children}
          <DisconnectForm company={found} onDone={(done) => onDone({ name: found.name, ...done })} />
        </>
      )}
    </CompanyQuestion>
  );
}

/** Shown to guests and to users who are not members of the company. It does not say whether the company was disconnected. */
function NotTheirs() {
  return (
    <>
      <PageTitle>{words.fromQuickBooks}</PageTitle>
      <p>{words.sentHere}</p>
      <SignInGate>
        <Sheet>
          <p>{words.unknown}</p>
        </Sheet>
      </SignInGate>
      <WaysOn />
    </>
  );
}

function Ended({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <Sheet>
        {children}
        <WaysOn />
      </Sheet>
    </>
  );
}

function WaysOn() {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3, mt: 3 }}>
      <Button variant="outlined" href="/get-app/">
        {words.reconnect}
      </Button>
      <TextLink to="/settings/">{words.settings}</TextLink>
    </Box>
  );
}
