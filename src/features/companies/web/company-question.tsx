import type { SessionCompany } from "#features/identity/contract.ts";
import { Sheet } from "#web/kit/card.tsx";
import { SignInGate } from "#web/kit/gates.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import type { ReactNode } from "react";

type Props = {
  words: { title: string; question: (company: string) => string; settings: string };
  company: SessionCompany | null;
  /** Shown if the user does not have the company. */
  unknown: string;
  children: (company: SessionCompany) => ReactNode;
};

/** Page that asks a question about one of the user's companies. */
export function CompanyQuestion({ words, company, unknown, children }: Props) {
  return (
    <>
      <PageTitle documentTitle={words.title}>
        {company ? words.question(company.name) : words.title}
      </PageTitle>
      <SignInGate>
        <Sheet>
          {company ? (
            children(company)
          ) : (
            <>
              <p>{unknown}</p>
              <TextLink to="/settings/">{words.settings}</TextLink>
            </>
          )}
        </Sheet>
      </SignInGate>
    </>
  );
}

/** Finds a company of the user by realm id, the current one for null; undefined while their companies are loading. */
export function useCompany(realmId: string | null): SessionCompany | null | undefined {
  const { company: current, companies, companyCount } = useSession();
  const company = realmId === null ? current : (companies.find(({ id }) => id === realmId) ?? null);
  return !company && companies.length < companyCount ? undefined : company;
}
