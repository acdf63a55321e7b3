import { readRefusal } from "#features/companies/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { Sheet } from "#web/kit/card.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";

const words = companyWords.getApp;

/** Explains the access that connecting grants, then starts it. A failed connection returns here. */
export function GetAppPage() {
  const [query] = useSearchParams();
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <Sheet>
        {query.get("error") === "already_connected" ? (
          <AlreadyConnected refusal={query.get("refusal")} />
        ) : (
          <ErrorBlock title={words.errorTitle} message={failureText(query.get("error"))} role="group" />
        )}
        <p>{words.able(boot.product)}</p>
        <ul>
          {words.abilities.map((ability) => (
            <li key={ability}>{ability}</li>
          ))}
        </ul>
        <p>{words.never}</p>
        <p>{words.next}</p>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3 }}>
          <Button variant="contained" href={connectPath(query.get("next") ?? cameFrom())}>
            {kitWords.connect}
          </Button>
          <PlainLink href="/privacy-policy/">{words.data}</PlainLink>
        </Box>
      </Sheet>
    </>
  );
}

const connectPath = (next: string | null) =>
  next === null ? "/get-app/connect" : `/get-app/connect?${new URLSearchParams({ next })}`;

/** Page of ours that linked here. The server decides whether to return to it. */
function cameFrom(): string | null {
  if (!URL.canParse(document.referrer)) return null;
  const { origin, pathname, search } = new URL(document.referrer);
  return origin === window.location.origin && pathname !== window.location.pathname
    ? `${pathname}${search}`
    : null;
}

/** Loads the names from the server, because text in the address could be forged. */
function AlreadyConnected({ refusal }: { refusal: string | null }) {
  const { data, isLoading } = useQuery({
    queryKey: queryKeys.refusal(refusal),
    queryFn: ({ signal }) => call(readRefusal, { query: { refusal: refusal ?? "" }, signal }),
    enabled: refusal !== null,
  });
  const message = words.alreadyConnected(data?.company ?? words.someCompany, data?.admin ?? words.someAdmin);
  return (
    <Loading isBusy={isLoading} label={words.asking}>
      <ErrorBlock title={words.errorTitle} message={message} role="group" />
    </Loading>
  );
}

function failureText(error: string | null): string | null {
  if (error === null) return null;
  return words.errors[error] ?? words.errors["other"] ?? null;
}
