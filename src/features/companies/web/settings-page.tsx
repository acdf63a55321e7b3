import { ConnectedCompanies } from "#features/companies/web/connected-companies.tsx";
import { MemberServices } from "#features/companies/web/member-services.tsx";
import { SettingsFrame } from "#features/companies/web/settings-frame.tsx";
import { companyWords, type SECTION_NAMES } from "#features/companies/web/words.ts";
import { useSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";
import type { ComponentType, ReactNode } from "react";
import type { CompanyView } from "#features/companies/contract.ts";
import {
  type CarrierPart,
  TrackingSettings,
  type WatchPart,
} from "#features/companies/web/tracking-settings.tsx";
import { Users } from "#features/companies/web/users.tsx";
import { Accordion } from "#web/kit/accordion.tsx";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";

const sectionWords = companyWords.sections;

/** The linked carrier account of a company, where no section shows it. */
type LinkedPart = ComponentType<{ company: CompanyView }>;

type Parts = { Services: ServicesPart; Carrier: CarrierPart; Watch: WatchPart; Linked: LinkedPart };

/** The first page of Settings: the companies, and the current company's settings for its admin; then what the user pays for elsewhere. */
export function CompanyPage({ Paying, ...parts }: Parts & { Paying: ComponentType }) {
  const { isCompanyAdmin } = useSession();
  return (
    <SettingsFrame page="company">
      <Box
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 296px) minmax(0, 1fr)" },
          gap: { xs: 5, lg: 7 },
        }}
      >
        <ConnectedCompanies />
        <div>
          {isCompanyAdmin ? <CompanySections {...parts} /> : <MemberServices />}
          <Paying />
        </div>
      </Box>
    </SettingsFrame>
  );
}

/** Section with the company's services and payments. */
type ServicesPart = ComponentType<{ company: CompanyView }>;

type SectionName = (typeof SECTION_NAMES)[number];

/**
 * Settings of the current company for its admin; `?section=users` opens a section. A loading error is shown beside the
 * companies.
 */
export function CompanySections(parts: Parts) {
  const { company } = useSession();
  const { data, isPending } = useQuery(companiesQuery);
  const details = data?.companies.find(({ id }) => id === company?.id);
  return (
    <section aria-label={sectionWords.label}>
      <Skeleton isBusy={isPending} label={sectionWords.loading} rows={5} columns={1} height={57}>
        {details ? <Sections key={details.id} company={details} {...parts} /> : null}
      </Skeleton>
    </section>
  );
}

function Sections({ company, Services, Carrier, Watch, Linked }: Parts & { company: CompanyView }) {
  const [params, setParams] = useSearchParams();
  const sections: { name: SectionName; title: string; content: ReactNode }[] = [
    { name: "services", title: sectionWords.services, content: <Services company={company} /> },
    { name: "users", title: sectionWords.users, content: <Users company={company} /> },
  ];
  const isTracked = company.services.includes("tracking");
  if (isTracked)
    sections.push({
      name: "tracking",
      title: sectionWords.tracking,
      content: <TrackingSettings company={company} Carrier={Carrier} Watch={Watch} />,
    });
  const asked = params.get("section");
  const open = sections.find(({ name }) => name === asked)?.name ?? "services";
  // One section is always open: closing another one opens the services.
  const pick = (name: SectionName) => {
    const next = name === open ? "services" : name;
    setParams(next === "services" ? {} : { section: next }, { replace: true });
  };
  return (
    <>
      <Accordion sections={sections} open={open} hint={sectionWords.hint} onPick={pick} />
      {isTracked ? null : <Linked company={company} />}
    </>
  );
}
