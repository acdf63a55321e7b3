import { companyWords } from "#features/companies/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useSearchParams } from "react-router";

const words = companyWords.getApp;

/** Says what connecting a company allows, then starts it. A connection that failed comes back here. */
export function GetAppPage() {
  const [query] = useSearchParams();
  return (
    <div style={{ maxWidth: "70ch" }}>
      <PageTitle>{words.title}</PageTitle>
      <ErrorBlock title={words.errorTitle} message={failureOf(query)} role="group" />
      <p>{words.able(boot.product)}</p>
      <ul>
        {words.abilities.map((ability) => (
          <li key={ability}>{ability}</li>
        ))}
      </ul>
      <p>{words.never}</p>
      <p>{words.next}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3 }}>
        <Button variant="contained" color="secondary" href="/get-app/connect">
          {kitWords.connect}
        </Button>
        <PlainLink href="/privacy-policy/">{words.data}</PlainLink>
      </Box>
    </div>
  );
}

function failureOf(query: URLSearchParams): string | null {
  const error = query.get("error");
  if (error === null) return null;
  if (error === "already_connected") {
    return words.alreadyConnected(
      query.get("company") ?? words.someCompany,
      query.get("admin") ?? words.someAdmin,
    );
  }
  return words.errors[error] ?? words.errors["other"] ?? null;
}
