import { DisconnectForm } from "#features/companies/web/disconnect-form.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import { formatDateTime } from "#web/kit/format.ts";
import { PageTitle } from "#web/kit/page-title.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";

const words = companyWords.disconnect;

/** A company that is gone from the list, and when. */
type Done = { name: string; at: string };

/**
 * Disconnecting a company: `?realm_id=` names it, else it is the current one. Intuit sends people who disconnected in
 * QuickBooks here with `?realmId=`: they only read how it ended, because an address must not change anything.
 */
export function DisconnectPage() {
  const [query] = useSearchParams();
  const [done, setDone] = useState<Done | null>(null);
  const atIntuit = query.get("realmId");
  useEffect(() => {
    // The button that was pressed is gone.
    if (done) document.querySelector<HTMLElement>("main h1")?.focus();
  }, [done]);
  return (
    <div style={{ maxWidth: "70ch" }}>
      {done ? (
        <Ended title={words.done(done.name)}>
          <p>{words.revokedAt(formatDateTime(done.at))}</p>
          <p>{words.waiting}</p>
        </Ended>
      ) : atIntuit !== null ? (
        <EndedAtIntuit realmId={atIntuit} />
      ) : (
        <Asked realmId={query.get("realm_id")} onDone={setDone} />
      )}
    </div>
  );
}

function Asked({ realmId, onDone }: { realmId: string | null; onDone: (done: Done) => void }) {
  const session = useSession();
  const company =
    realmId === null ? session.company : (session.companies.find(({ id }) => id === realmId) ?? null);
  return (
    <>
      <PageTitle documentTitle={words.title}>
        {company ? words.question(company.name) : words.title}
      </PageTitle>
      <SignInGate>
        {company ? (
          <DisconnectForm company={company} onDone={(at) => onDone({ name: company.name, at })} />
        ) : (
          <>
            <p>{session.companies.length === 0 ? words.none : words.unknown}</p>
            <TextLink to="/settings/">{words.settings}</TextLink>
          </>
        )}
      </SignInGate>
    </>
  );
}

function EndedAtIntuit({ realmId }: { realmId: string }) {
  const name = useSession().companies.find(({ id }) => id === realmId)?.name ?? words.someCompany;
  return (
    <Ended title={words.done(name)}>
      <p>{words.atIntuit(name)}</p>
      <p>{words.waiting}</p>
    </Ended>
  );
}

function Ended({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      {children}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3, mt: 3 }}>
        <Button variant="contained" color="secondary" href="/get-app/">
          {words.reconnect}
        </Button>
        <TextLink to="/settings/">{words.settings}</TextLink>
      </Box>
    </>
  );
}
