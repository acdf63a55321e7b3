import { companyWords } from "#features/companies/web/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { companiesNamed, FIND_COMPANY_FROM } from "#web/kit/find-company.ts";
import { useSession } from "#web/kit/session/session.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { kitWords } from "#web/kit/words.ts";
import { useId, useState } from "react";

/** One radio for each company; choosing one makes it current. */
export function CompanyRadios() {
  const { company, companies, companyCount, switchCompany } = useSession();
  const [filter, setFilter] = useState("");
  const name = useId();
  const found = companiesNamed(companies, filter);
  return (
    <>
      {companyCount >= FIND_COMPANY_FROM ? (
        <div style={{ marginBottom: 8 }}>
          <TextInput
            label={kitWords.companies.find}
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
      ) : null}
      <fieldset>
        <legend style={visuallyHidden}>{companyWords.settings.current}</legend>
        {found.map((choice) => (
          <Choice
            key={choice.id}
            type="radio"
            name={name}
            checked={choice.id === company?.id}
            onChange={() => switchCompany(choice.id)}
          >
            {choice.name}
          </Choice>
        ))}
      </fieldset>
      {found.length === 0 ? <p role="status">{kitWords.companies.found(0)}</p> : null}
    </>
  );
}
