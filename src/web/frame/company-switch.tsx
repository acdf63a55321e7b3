import { CompanyFinder } from "#web/frame/company-finder.tsx";
import { frameWords } from "#web/frame/words.ts";
import { FIND_COMPANY_FROM, useSession } from "#web/kit/session/session.ts";
import { SelectField } from "#web/kit/select-field.tsx";

/** Says for which company the page acts, from two companies on, and changes it. */
export function CompanySwitch() {
  const { companies, companyCount, company, switchCompany } = useSession();
  if (companyCount < 2 || !company) return null;
  if (companyCount >= FIND_COMPANY_FROM) return <CompanyFinder current={company} />;
  return (
    <SelectField
      label={frameWords.company}
      look="bar"
      value={company.id}
      options={companies.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={switchCompany}
    />
  );
}
