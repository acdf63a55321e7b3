import { type CompanyView, handOver } from "#features/companies/contract.ts";
import { useCompanyCommand } from "#features/companies/web/use-company-command.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";

const words = companyWords.handOver;

/** Makes another user the company's admin, after a question. Only who has signed in can be one. */
export function HandOver({ company }: { company: CompanyView }) {
  const [isAsking, setAsking] = useState(false);
  const others = (company.authorized_users ?? []).filter(
    (email) => email !== company.admin && !company.invited_users?.includes(email),
  );
  const [first] = others;
  if (first === undefined) return null;
  return (
    <>
      <Button variant="text" sx={{ mt: 2, ml: -1 }} onClick={() => setAsking(true)}>
        {words.open}
      </Button>
      {isAsking ? (
        <Question company={company} others={others} first={first} onClose={() => setAsking(false)} />
      ) : null}
    </>
  );
}

type Props = { company: CompanyView; others: readonly string[]; first: string; onClose: () => void };

function Question({ company, others, first, onClose }: Props) {
  const keep = useRef<HTMLButtonElement>(null);
  const announce = useAnnounce();
  const [email, setEmail] = useState(first);
  const { mutate, isPending, error } = useCompanyCommand(
    (to: string) => call(handOver, { query: { realm_id: company.id, email: to } }),
    (to) => {
      announce(words.done(to, company.name));
      onClose();
    },
  );
  return (
    <Dialog title={words.title(company.name)} first={keep} onClose={onClose}>
      <p>{words.text}</p>
      {company.paid_services?.length ? <p>{words.paying}</p> : null}
      <SelectField
        label={words.who}
        value={email}
        options={others.map((other) => ({ value: other, label: other }))}
        onChange={setEmail}
      />
      <FailedCall error={error} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 3 }}>
        <Button ref={keep} variant="outlined" onClick={onClose}>
          {words.keep}
        </Button>
        <BusyButton
          label={words.confirm}
          variant="contained"
          isBusy={isPending}
          onClick={() => mutate(email)}
        />
      </Box>
    </Dialog>
  );
}
