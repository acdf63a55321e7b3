import { CompanyFinder } from "#web/frame/company-finder.tsx";
import { frameWords } from "#web/frame/words.ts";
import { FIND_COMPANY_FROM, useSession } from "#web/kit/session/session.ts";
import { SelectField } from "#web/kit/select-field.tsx";
import Box from "@mui/material/Box";

/** Shows the current company; with two or more companies it can be switched. */
export function CompanySwitch() {
  const { companies, companyCount, company, email, switchCompany } = useSession();
  if (companyCount < 2 || !company) return null;
  return (
    <>
      {company.admin === null || company.admin === email ? null : <OtherAdmin email={company.admin} />}
      {companyCount >= FIND_COMPANY_FROM ? (
        <CompanyFinder current={company} />
      ) : (
        <SelectField
          label={frameWords.company}
          look="bar"
          value={company.id}
          options={companies.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={switchCompany}
        />
      )}
    </>
  );
}

/** Shows the admin of another user's company: names can be similar, and anyone can choose any name. */
function OtherAdmin({ email }: { email: string }) {
  return (
    <Box
      component="span"
      sx={{
        // Beside all entries of an operator it has no room before.
        display: "none",
        "@media (min-width: 1440px)": { display: "block" },
        maxWidth: 200,
        overflowWrap: "anywhere",
        textAlign: "right",
        typography: "caption",
        color: "text.caption",
      }}
    >
      {frameWords.companyAdmin(email)}
    </Box>
  );
}
