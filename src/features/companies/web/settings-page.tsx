import { ConnectedCompanies } from "#features/companies/web/connected-companies.tsx";
import { CompanySections, type ServicesPart } from "#features/companies/web/company-sections.tsx";
import { Devices } from "#features/companies/web/devices.tsx";
import { TrailCard } from "#features/companies/web/trail-card.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { useSession } from "#web/kit/session/session.ts";
import { PageTitle } from "#web/kit/page-head.tsx";
import { SignInGate } from "#web/kit/gates.tsx";
import Box from "@mui/material/Box";
import type { ComponentType } from "react";

const words = companyWords.settings;

/** App Settings: the companies, and for its admin what the current one uses. Whoever else pays for it sees that. */
export function SettingsPage({ Services, Paying }: { Services: ServicesPart; Paying: ComponentType }) {
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
          {isCompanyAdmin ? <CompanySections Services={Services} /> : <Paying />}
        </Box>
        {isCompanyAdmin ? <TrailCard /> : null}
        <Devices />
      </SignInGate>
    </>
  );
}
