import { leaveCompany } from "#features/companies/contract.ts";
import { CompanyQuestion, useCompany } from "#features/companies/web/company-question.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Sheet } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useHeadingFocus } from "#web/kit/focus.ts";
import { PageTitle } from "#web/kit/page-head.tsx";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";
import { isCompanyAdmin, useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useState } from "react";
import { useSearchParams } from "react-router";

const words = companyWords.leave;

/** Ends the user's own membership of a company: the one in `?realm_id=`, or the current one. */
export function LeavePage() {
  const [query] = useSearchParams();
  const [left, setLeft] = useState<string | null>(null);
  const company = useCompany(query.get("realm_id"));
  useHeadingFocus(left === null ? "question" : "left");
  if (left !== null) return <Left company={left} />;
  if (company === undefined) return <Spinner label={words.loading} />;
  return (
    <CompanyQuestion words={words} company={company} unknown={words.unknown}>
      {(found) => <Question company={found} onLeft={() => setLeft(found.name)} />}
    </CompanyQuestion>
  );
}

type QuestionProps = { company: SessionCompany; onLeft: () => void };

function Question({ company, onLeft }: QuestionProps) {
  const { email, removeCompany } = useSession();
  const leave = useCommand(() => call(leaveCompany, { query: { realm_id: company.id } }), {
    onDone: () => {
      onLeft();
      removeCompany(company.id);
    },
    done: words.left(company.name),
    changed: [queryKeys.companies],
  });
  if (company.admin !== null && isCompanyAdmin(company, email))
    return (
      <>
        <p>{words.admin}</p>
        <TextLink to="/settings/?section=users">{words.settings}</TextLink>
      </>
    );
  return (
    <>
      <p>{words.effect(company.name)}</p>
      <p>{words.back(company.admin ?? words.anAdmin)}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3, mt: 3 }}>
        <BusyButton
          label={words.button(company.name)}
          variant="outlined"
          color="error"
          isBusy={leave.isPending}
          onClick={() => leave.mutate()}
          sx={{ overflowWrap: "anywhere" }}
        />
        <TextLink to="/settings/">{words.stay}</TextLink>
      </Box>
      <FailedCall title={words.errorTitle} error={leave.error} />
    </>
  );
}

function Left({ company }: { company: string }) {
  return (
    <>
      <PageTitle documentTitle={words.title}>{words.left(company)}</PageTitle>
      <Sheet>
        <p>{words.over}</p>
        <TextLink to="/settings/">{words.settings}</TextLink>
      </Sheet>
    </>
  );
}
