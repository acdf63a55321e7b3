import { companyWords } from "#features/companies/web/words.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { Chip } from "#web/kit/chip.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { formatDayOf } from "#web/kit/format.ts";
import { companiesNamed, FIND_COMPANY_FROM } from "#web/kit/find-company.ts";
import { useSession } from "#web/kit/session/session.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";

const words = companyWords.settings;

/** On a slow processor a list of all of a thousand companies takes seconds; whoever looks for one types its name. */
const SHOWN_AT_ONCE = 25;

/** One radio for each company; choosing one makes it current. */
export function CompanyRadios() {
  const { company, companies, companyCount, switchCompany } = useSession();
  const [filter, setFilter] = useState("");
  const name = useId();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const found = companiesNamed(companies, filter);
  const rest = Math.max(0, found.length - shown);
  return (
    <>
      {companyCount >= FIND_COMPANY_FROM ? (
        <div style={{ marginBottom: 16 }}>
          <TextInput
            label={kitWords.companies.find}
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
      ) : null}
      <fieldset>
        <legend style={visuallyHidden}>{words.current}</legend>
        {firstOf(found, shown, company).map((choice, index) => (
          <Box
            key={choice.id}
            sx={{
              borderTop: 1,
              borderColor: index === 0 ? "line.strong" : "divider",
              "& label": { width: 1 },
            }}
          >
            <Choice
              type="radio"
              name={name}
              aria-label={choice.name}
              checked={choice.id === company?.id}
              onChange={() => switchCompany(choice.id)}
            >
              <b>{choice.name}</b>
              <Facts company={choice} />
            </Choice>
          </Box>
        ))}
      </fieldset>
      {rest > 0 ? (
        <Button variant="text" sx={{ ml: -1 }} onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          {words.showMore(rest)}
        </Button>
      ) : null}
      {found.length === 0 ? <p role="status">{kitWords.companies.found(0)}</p> : null}
    </>
  );
}

/** The first companies of a list, the current one always among them. */
function firstOf(
  found: readonly SessionCompany[],
  count: number,
  current: SessionCompany | null,
): readonly SessionCompany[] {
  const first = found.slice(0, count);
  const away = found.slice(count).find(({ id }) => id === current?.id);
  return away ? [away, ...first.slice(0, -1)] : first;
}

/** Who administers it, and whether it has to be connected again. */
function Facts({ company }: { company: SessionCompany }) {
  const { email } = useSession();
  const { data } = useQuery(companiesQuery);
  const details = data?.companies.find(({ id }) => id === company.id);
  return (
    <Box component="span" sx={{ display: "block", typography: "caption", color: "text.caption" }}>
      <span>{words.admin(company.admin === email ? words.you : (company.admin ?? words.nobody))}</span>
      {details?.connection === "reconnect_needed" || details?.reconnect_by ? (
        <Box component="span" sx={{ display: "block", mt: 0.5 }}>
          <Chip tone="amber">
            {details.reconnect_by
              ? kitWords.reconnect.ends(formatDayOf(details.reconnect_by))
              : words.reconnect}
          </Chip>
        </Box>
      ) : null}
    </Box>
  );
}
