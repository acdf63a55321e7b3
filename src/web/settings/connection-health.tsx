import { useDisconnect } from "#features/carrier/web/use-disconnect.ts";
import { folderQuery } from "#features/orders/web/queries.ts";
import { settingsWords } from "#web/settings/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatLocalDay, formatZoned } from "#web/kit/format.ts";
import { OpenRow } from "#web/kit/rows.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import type { CompanyView } from "#features/companies/contract.ts";
import type { OrderFolder } from "#features/orders/folders/contract.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

const words = settingsWords.health;

type Connection = {
  name: string;
  state: "fine" | "off" | "wrong";
  /** Replaces the usual word of the state. */
  word?: string;
  text?: string | undefined;
  link?: { label: string; to: string };
  /** How the connection is ended: on a page that says what ends with it, or at once for a UPS account. */
  end?: { to: string } | { realmId: string; account: string };
};

/** Whether the company's connections work. */
export function HealthRow({ realmId }: { realmId: string }) {
  const companies = useQuery(companiesQuery);
  const folder = useQuery(folderQuery(realmId));
  const company = companies.data?.companies.find(({ id }) => id === realmId);
  const isKnown = company !== undefined && folder.data !== undefined;
  const connections = isKnown ? listConnections(company, folder.data.folder) : [];
  const wrong = connections.filter(({ state }) => state === "wrong").length;
  const fine = connections.filter(({ state }) => state === "fine").length;
  return (
    <OpenRow
      {...words.row}
      state={wrong > 0 ? <Chip tone="amber">{words.wrong(wrong)}</Chip> : isKnown ? words.fine(fine) : null}
    >
      <FailedCall
        error={companies.error ?? folder.error}
        onRetry={() => void Promise.all([companies.refetch(), folder.refetch()])}
      />
      <Loading isBusy={companies.isPending || folder.isPending} label={words.row.loading}>
        <List aria-label={words.list}>
          {connections.map((connection) => (
            <Line key={connection.name} {...connection} />
          ))}
        </List>
        <Box component="p" sx={{ mt: 2, typography: "caption", color: "text.caption" }}>
          {words.yearly}
        </Box>
      </Loading>
    </OpenRow>
  );
}

function listConnections(company: CompanyView, folder: OrderFolder | null): Connection[] {
  return [
    describeBooks(company),
    describeAccount(company),
    ...describePayment(company),
    ...(folder ? [describeFolder(folder)] : []),
  ];
}

function describeBooks({ id, connection, reconnect_by: by }: CompanyView): Connection {
  const name = words.quickbooks;
  const link = { label: words.reconnect, to: "/get-app/" };
  const end = { to: `/disconnect/?realm_id=${id}` };
  if (connection === "reconnect_needed") return { name, state: "wrong", link, end };
  const text = by === undefined ? undefined : words.reconnectBy(formatLocalDay(by));
  return by === undefined
    ? { name, state: "fine", end }
    : { name, state: "wrong", word: words.connected, text, link, end };
}

function describeAccount({ id: realmId, settings, services }: CompanyView): Connection {
  const name = words.ups;
  const to = services.includes("tracking") ? "/settings/?section=tracking" : "/settings/";
  if (!settings || settings.ups_state === "none") return { name, state: "off" };
  const text = words.account(settings.ups_account.slice(-4));
  const end = { realmId, account: settings.ups_account };
  return settings.ups_state === "connected"
    ? { name, state: "fine", text, end }
    : { name, state: "wrong", text, link: { label: words.openSettings, to }, end };
}

function describePayment({ paid_services: paid = [], unpaid_until: until }: CompanyView): Connection[] {
  const name = words.stripe;
  if (until !== undefined) {
    const link = { label: words.fix, to: "/settings/" };
    return [{ name, state: "wrong", text: words.unpaid(formatLocalDay(until)), link }];
  }
  return paid.length === 0
    ? []
    : [{ name, state: "fine", word: words.paid, text: words.services(paid.length) }];
}

function describeFolder({ state, problem, polled_at: at }: OrderFolder): Connection {
  const name = words.folder;
  if (state === "active")
    return { name, state: "fine", text: at === null ? undefined : words.checked(formatZoned(at)) };
  const link = { label: words.openSettings, to: "/settings/developers/?section=folder" };
  return { name, state: "wrong", text: problem, link };
}

const List = styled("ul")({ margin: 0, padding: 0, listStyle: "none" });

const Entry = styled("li")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "168px 160px minmax(0, 1fr) auto",
  gap: "4px 12px",
  alignItems: "center",
  minHeight: 46,
  boxSizing: "border-box",
  padding: "8px 0",
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  ...typeScale.table,
  overflowWrap: "anywhere",
  "& > .text": { color: (theme.vars ?? theme).palette.text.secondary },
  [theme.breakpoints.down("sm")]: {
    gridTemplateColumns: "minmax(0, 1fr) auto",
    "& > .text, & > .end": { gridColumn: "1 / -1" },
    "& > :empty": { display: "none" },
  },
}));

function Line({ name, state, word, text, link, end }: Connection) {
  return (
    <Entry>
      <b>{name}</b>
      <span>
        {state === "off" ? (
          words.notConnected
        ) : (
          <Chip tone={state === "fine" ? "ok" : "amber"}>
            {word ?? (state === "fine" ? words.connected : words.attention)}
          </Chip>
        )}
      </span>
      <span className="text">
        {text}
        {text && link ? " " : null}
        {link ? <TextLink to={link.to}>{link.label}</TextLink> : null}
      </span>
      <span className="end">
        {end && "to" in end ? (
          <Button component={Link} to={end.to} variant="text" size="small">
            {words.disconnect}
          </Button>
        ) : null}
        {end && "account" in end ? <EndAccount {...end} /> : null}
      </span>
    </Entry>
  );
}

function EndAccount({ realmId, account }: { realmId: string; account: string }) {
  const disconnect = useDisconnect(realmId, account);
  return (
    <>
      <BusyButton
        size="small"
        variant="text"
        label={words.disconnect}
        detail={words.ofAccount}
        isBusy={disconnect.isPending}
        onClick={() => disconnect.mutate()}
      />
      <FailedCall error={disconnect.error} />
    </>
  );
}
