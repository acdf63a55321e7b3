import { companyWords } from "#features/companies/web/words.ts";
import { Card } from "#web/kit/card.tsx";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { useSession, findCompanies, FIND_COMPANY_FROM } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { CompanyView } from "#features/companies/contract.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { Chip } from "#web/kit/chip.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { formatLocalDay } from "#web/kit/format.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { kitWords } from "#web/kit/words.ts";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { Link } from "react-router";

const words = companyWords.settings;

/** The user's companies: choosing the current one, adding one, and for its admin disconnecting it. */
export function ConnectedCompanies() {
  const { company, companies, isCompanyAdmin } = useSession();
  return (
    <Card title={words.connected} sx={{ mt: 0 }}>
      {companies.length === 0 ? (
        <>
          <p style={{ marginTop: 0 }}>{words.none}</p>
          <Box component="p" sx={{ mt: 0, color: "text.secondary" }}>
            {words.connectFirst}
          </Box>
          <ConnectButton />
        </>
      ) : (
        <>
          <ReconnectNotice />
          <CompanyRadios />
          <Box sx={{ pt: 2, borderTop: 1, borderColor: "divider" }}>
            <Disclosure title={words.add} my={0}>
              <Box sx={{ mt: 2 }}>
                <ConnectButton variant="outlined" />
              </Box>
            </Disclosure>
            {company && isCompanyAdmin ? (
              <Button
                color="error"
                href={`/disconnect/?realm_id=${encodeURIComponent(company.id)}`}
                sx={{ mt: 1, ml: -1, overflowWrap: "anywhere" }}
              >
                {words.disconnect(company.name)}
              </Button>
            ) : company ? (
              <Button
                variant="text"
                component={Link}
                to={`/leave/?realm_id=${encodeURIComponent(company.id)}`}
                sx={{ display: "table", mt: 1, ml: -1, overflowWrap: "anywhere" }}
              >
                {words.leave(company.name)}
              </Button>
            ) : null}
          </Box>
        </>
      )}
    </Card>
  );
}

/** Listing a thousand companies takes seconds on a slow processor; users find one by typing its name. */
const SHOWN_AT_ONCE = 25;
/** A longer list starts with about one screen of companies. */
const SHOWN_FIRST = 10;

/** Styled once for all rows, because styling each of a thousand rows is slow. */
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
function CompanyRadios() {
  const { company, companies, companyCount, switchCompany } = useSession();
  const [filter, setFilter] = useState("");
  const name = useId();
  const [more, setMore] = useState(0);
  const { data } = useQuery(companiesQuery);
  const details = useMemo(() => new Map(data?.companies.map((each) => [each.id, each])), [data]);
  const found = findCompanies(companies, filter);
  const foundCount = filter === "" ? companyCount : found.length;
  const shown = (foundCount > SHOWN_AT_ONCE ? SHOWN_FIRST : SHOWN_AT_ONCE) + more;
  const rest = Math.max(0, found.length - shown);
  // The page starts with one company. Space is reserved for the others, so that nothing moves when they load.
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
        {takeFirst(found, shown, company).map((choice) => (
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

/** Takes the first companies of a list, always including the current one. */
function takeFirst(
  found: readonly SessionCompany[],
  count: number,
  current: SessionCompany | null,
): readonly SessionCompany[] {
  const first = found.slice(0, count);
  const away = found.slice(count).find(({ id }) => id === current?.id);
  return away ? [away, ...first.slice(0, -1)] : first;
}

/** Admin of the company, and whether it needs to be reconnected. */
function Facts({ company, details }: { company: SessionCompany; details: CompanyView | undefined }) {
  const { email } = useSession();
  return (
    <span data-facts>
      <span>{words.admin(company.admin === email ? words.you : (company.admin ?? words.noAdmin))}</span>
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
