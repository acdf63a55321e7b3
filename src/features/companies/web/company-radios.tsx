import { companyWords } from "#features/companies/web/words.ts";
import { useSession } from "#web/kit/session/session.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { styled } from "@mui/material/styles";
import { useId } from "react";

const Choice = styled("label")({
  display: "flex",
  alignItems: "center",
  gap: 12,
  minHeight: 44,
  cursor: "pointer",
  overflowWrap: "anywhere",
  "& input": { width: 20, height: 20, flexShrink: 0, accentColor: "var(--mui-palette-secondary-main)" },
});

/** One radio for each company; choosing one makes it current. */
export function CompanyRadios() {
  const { company, companies, switchCompany } = useSession();
  const name = useId();
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <legend style={visuallyHidden}>{companyWords.settings.current}</legend>
      {companies.map((choice) => (
        <Choice key={choice.id}>
          <input
            type="radio"
            name={name}
            checked={choice.id === company?.id}
            onChange={() => switchCompany(choice.id)}
          />
          {choice.name}
        </Choice>
      ))}
    </fieldset>
  );
}
