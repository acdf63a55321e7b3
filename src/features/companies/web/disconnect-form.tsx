import { disconnectCompany } from "#features/companies/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { isCompanyAdmin, useSession } from "#web/kit/session/session.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";

const words = companyWords.disconnect;

/** How a disconnection ended: when, and how many uploads wait. */
export type Disconnection = { at: string; waitingUploads: number };

type Props = { company: SessionCompany; onDone: (done: Disconnection) => void };

/** Says what disconnecting a company stops and what it keeps, then does it. */
export function DisconnectForm({ company, onDone }: Props) {
  const { userName, email } = useSession();
  const disconnect = useDisconnect(company, onDone);
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

function useDisconnect(company: SessionCompany, onDone: Props["onDone"]) {
  const { removeCompany } = useSession();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: () => call(disconnectCompany, { query: { realm_id: company.id } }),
    onSuccess: ({ disconnected_at: at, waiting_uploads: waitingUploads }) => {
      onDone({ at, waitingUploads });
      removeCompany(company.id);
      announce(words.done(company.name));
      return queries.invalidateQueries({ queryKey: queryKeys.companies });
    },
  });
}
