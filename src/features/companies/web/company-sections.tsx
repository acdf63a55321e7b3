import type { CompanyView } from "#features/companies/contract.ts";
import { TrackingSettings } from "#features/companies/web/tracking-settings.tsx";
import { Users } from "#features/companies/web/users.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import { Accordion } from "#web/kit/accordion.tsx";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { useSearchParams } from "react-router";

const words = companyWords.sections;

/** What the company uses and pays for. */
export type ServicesPart = ComponentType<{ company: CompanyView }>;

type SectionName = "services" | "users" | "tracking";

/**
 * What the admin of the current company sees and changes; `?section=users` opens a section. Why it can't be read is said
 * beside the companies.
 */
export function CompanySections({ Services }: { Services: ServicesPart }) {
  const { company } = useSession();
  const { data, isPending } = useQuery(companiesQuery);
  const details = data?.companies.find(({ id }) => id === company?.id);
  return (
    <section aria-label={words.label}>
      <Skeleton isBusy={isPending} label={words.loading} rows={5} columns={1} height={57}>
        {details ? <Sections key={details.id} company={details} Services={Services} /> : null}
      </Skeleton>
    </section>
  );
}

function Sections({ company, Services }: { company: CompanyView; Services: ServicesPart }) {
  const [params, setParams] = useSearchParams();
  const sections: { name: SectionName; title: string; content: ReactNode }[] = [
    { name: "services", title: words.services, content: <Services company={company} /> },
    { name: "users", title: words.users, content: <Users company={company} /> },
  ];
  if (company.services.includes("tracking"))
    sections.push({
      name: "tracking",
      title: words.tracking,
      content: <TrackingSettings company={company} />,
    });
  const asked = params.get("section");
  const open = sections.find(({ name }) => name === asked)?.name ?? "services";
  // One is always open: closing another goes back to the services.
  const pick = (name: SectionName) => {
    const next = name === open ? "services" : name;
    setParams(next === "services" ? {} : { section: next }, { replace: true });
  };
  return <Accordion sections={sections} open={open} hint={words.hint} onPick={pick} />;
}
