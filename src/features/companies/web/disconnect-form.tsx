import { disconnectCompany } from "#features/companies/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { isCompanyAdmin, useSession } from "#web/kit/session/session.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

const words = companyWords.disconnect;

/** Result of a disconnection: its time and the number of waiting uploads. */
export type Disconnection = { at: string; waitingUploads: number };

type Props = { company: SessionCompany; onDone: (done: Disconnection) => void };

/** Explains what disconnecting stops and keeps, then disconnects the company. */
export function DisconnectForm({ company, onDone }: Props) {
  const { userName, email } = useSession();
  const [subscriptions, setSubscriptions] = useState<AfterDisconnect>("end");
  const disconnect = useDisconnect(company, { subscriptions, onDone });
  const { data } = useQuery(companiesQuery);
  const paid = data?.companies.find(({ id }) => id === company.id)?.paid_services ?? [];
  if (!isCompanyAdmin(company, email)) {
    return (
      <>
        <p>{words.adminOnly(company.admin ?? companyWords.getApp.someAdmin)}</p>
        <TextLink to="/settings/">{words.settings}</TextLink>
      </>
    );
  }
  return (
    <>
      <p>{words.who(userName, email)}</p>
      <Points title={words.stopsTitle} points={words.stops} />
      <Points title={words.keepsTitle} points={words.keeps} />
      {paid.length > 0 ? <Subscriptions choice={subscriptions} onChoose={setSubscriptions} /> : null}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3, mt: 3 }}>
        <BusyButton
          label={words.button(company.name)}
          variant="outlined"
          color="error"
          isBusy={disconnect.isPending}
          onClick={disconnect.mutate}
          sx={{ overflowWrap: "anywhere" }}
        />
        <TextLink to="/settings/">{words.keep}</TextLink>
      </Box>
      <FailedCall title={words.errorTitle} error={disconnect.error} />
    </>
  );
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <>
      <Typography variant="h2" sx={{ mt: 3 }}>
        {title}
      </Typography>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </>
  );
}

/** Whether subscriptions end or continue. */
type AfterDisconnect = "end" | "keep";
type ChoiceProps = { choice: AfterDisconnect; onChoose: (choice: AfterDisconnect) => void };

function Subscriptions({ choice, onChoose }: ChoiceProps) {
  return (
    <fieldset style={{ margin: "24px 0 0", padding: 0, border: 0 }}>
      <legend style={{ padding: 0, fontWeight: 700 }}>{words.paidTitle}</legend>
      {(["end", "keep"] as const).map((each) => (
        <Choice
          key={each}
          type="radio"
          name="subscriptions"
          checked={choice === each}
          onChange={() => onChoose(each)}
        >
          {words.paid[each]}
        </Choice>
      ))}
    </fieldset>
  );
}

type Command = { subscriptions: AfterDisconnect; onDone: Props["onDone"] };

function useDisconnect(company: SessionCompany, { subscriptions, onDone }: Command) {
  const { removeCompany } = useSession();
  return useCommand(
    () => call(disconnectCompany, { query: { realm_id: company.id }, body: { subscriptions } }),
    {
      onDone: ({ disconnected_at: at, waiting_uploads: waitingUploads }) => {
        onDone({ at, waitingUploads });
        removeCompany(company.id);
      },
      done: words.done(company.name),
      changed: [queryKeys.companies],
    },
  );
}
