import { KeysCard } from "#features/companies/web/api-keys/keys-card.tsx";
import { ConnectedCompanies } from "#features/companies/web/connected-companies.tsx";
import { ExportCard } from "#features/companies/web/data-export/export-card.tsx";
import { Devices } from "#features/companies/web/devices.tsx";
import { SupportCard } from "#features/companies/web/support/support-card.tsx";
import { TrailCard } from "#features/companies/web/trail-card.tsx";
import { MemberServices } from "#features/companies/web/member-services.tsx";
import { WebhooksCard } from "#features/companies/web/webhooks/webhooks-card.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { useSession } from "#web/kit/session/session.ts";
import { PageTitle } from "#web/kit/page-head.tsx";
import { SignInGate } from "#web/kit/gates.tsx";
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

const words = companyWords.settings;
const sectionWords = companyWords.sections;

type Parts = { Services: ServicesPart; Carrier: CarrierPart; Watch: WatchPart };

/** App Settings: the companies, and the current company's settings for its admin. Other users see only what they pay for. */
export function SettingsPage({
  Paying,
  Folder,
  Differences,
  ...parts
}: Parts & { Paying: ComponentType; Folder: ComponentType; Differences: ComponentType }) {
  const { isCompanyAdmin } = useSession();
  return (
    <>
      <PageTitle documentTitle={words.documentTitle}>{words.title(boot.product)}</PageTitle>
      <SignInGate>
        <Box
          sx={{
            display: "grid",
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 320px) minmax(0, 1fr)" },
            gap: { xs: 5, md: 6, lg: 8 },
            mt: 4,
          }}
        >
          <ConnectedCompanies />
          {isCompanyAdmin ? <CompanySections {...parts} /> : <Member Paying={Paying} />}
        </Box>
        {isCompanyAdmin ? <Differences /> : null}
        {isCompanyAdmin ? <KeysCard /> : null}
        {isCompanyAdmin ? <WebhooksCard /> : null}
        {isCompanyAdmin ? <Folder /> : null}
        {isCompanyAdmin ? <SupportCard /> : null}
        {isCompanyAdmin ? <ExportCard /> : null}
        {isCompanyAdmin ? <TrailCard /> : null}
        <Devices />
      </SignInGate>
    </>
  );
}

/** Services and payments of the current company, for a user who isn't its admin. */
function Member({ Paying }: { Paying: ComponentType }) {
  return (
    <div>
      <MemberServices />
      <Paying />
    </div>
  );
}

/** Section with the company's services and payments. */
type ServicesPart = ComponentType<{ company: CompanyView }>;

type SectionName = "services" | "users" | "tracking";

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

function Sections({ company, Services, Carrier, Watch }: Parts & { company: CompanyView }) {
  const [params, setParams] = useSearchParams();
  const sections: { name: SectionName; title: string; content: ReactNode }[] = [
    { name: "services", title: sectionWords.services, content: <Services company={company} /> },
    { name: "users", title: sectionWords.users, content: <Users company={company} /> },
  ];
  if (company.services.includes("tracking"))
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
  return <Accordion sections={sections} open={open} hint={sectionWords.hint} onPick={pick} />;
}
