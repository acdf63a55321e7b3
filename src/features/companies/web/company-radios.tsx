import type { CompanyView } from "#features/companies/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { Chip } from "#web/kit/chip.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { formatLocalDay } from "#web/kit/format.ts";
import { findCompanies, FIND_COMPANY_FROM, useSession } from "#web/kit/session/session.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";

const words = companyWords.settings;

/** On a slow processor a list of all of a thousand companies takes seconds; whoever looks for one types its name. */
const SHOWN_AT_ONCE = 25;
/** A list that is longer begins with about as many as a screen has room for: the page opens with it. */
const SHOWN_FIRST = 10;

/** Styled once for all rows: with a thousand companies the styles of each would cost more than its words. */
const List = styled("fieldset")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    "& > div": { borderTop: `1px solid ${palette.divider}` },
    "& > div:first-of-type": { borderTopColor: palette.line.strong },
    "& label": { width: "100%" },
    "& [data-facts]": { display: "block", ...theme.typography.caption, color: palette.text.caption },
    "& [data-facts] > span + span": { display: "block", marginTop: 4 },
  };
});

/** One radio for each company; choosing one makes it current. */
export function CompanyRadios() {
  const { company, companies, companyCount, switchCompany } = useSession();
  const [filter, setFilter] = useState("");
  const name = useId();
  const [more, setMore] = useState(0);
  const { data } = useQuery(companiesQuery);
  const details = useMemo(() => new Map(data?.companies.map((each) => [each.id, each])), [data]);
  const found = findCompanies(companies, filter);
  const shown = shownOf(filter === "" ? companyCount : found.length) + more;
  const rest = Math.max(0, found.length - shown);
  // A page begins with one company of several: the room of the others is kept, so that nothing moves when they come.
  const missing = filter === "" ? Math.max(0, Math.min(companyCount, shown) - companies.length) : 0;
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
      <List>
        <legend style={visuallyHidden}>{words.current}</legend>
        {firstOf(found, shown, company).map((choice) => (
          <div key={choice.id}>
            <Choice
              type="radio"
              name={name}
              aria-label={choice.name}
              checked={choice.id === company?.id}
              onChange={() => switchCompany(choice.id)}
            >
              <b>{choice.name}</b>
              <Facts company={choice} details={details.get(choice.id)} />
            </Choice>
          </div>
        ))}
      </List>
      <Skeleton isBusy={missing > 0} label={words.loading} rows={missing} columns={1} height={65} />
      {rest > 0 ? (
        <Button variant="text" sx={{ ml: -1 }} onClick={() => setMore(more + SHOWN_AT_ONCE)}>
          {words.showMore(rest)}
        </Button>
      ) : null}
      {found.length === 0 ? <p role="status">{kitWords.companies.found(0)}</p> : null}
    </>
  );
}

const shownOf = (count: number) => (count > SHOWN_AT_ONCE ? SHOWN_FIRST : SHOWN_AT_ONCE);

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
function Facts({ company, details }: { company: SessionCompany; details: CompanyView | undefined }) {
  const { email } = useSession();
  return (
    <span data-facts>
      <span>{words.admin(company.admin === email ? words.you : (company.admin ?? words.nobody))}</span>
      {details?.connection === "reconnect_needed" || details?.reconnect_by ? (
        <span>
          <Chip tone="amber">
            {details.reconnect_by
              ? kitWords.reconnect.ends(formatLocalDay(details.reconnect_by))
              : words.reconnect}
          </Chip>
        </span>
      ) : null}
    </span>
  );
}
