import { identityWords } from "#features/identity/web/words.ts";
import { PageTitle } from "#web/kit/page-head.tsx";
import { Sheet } from "#web/kit/card.tsx";
import { signInAddress } from "#web/kit/sign-in-button.tsx";
import { contactAddress, SupportId } from "#web/kit/failed-call.tsx";
import { PlainLink, TextLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useSearchParams } from "react-router";

const words = identityWords.failed;
/** Intuit's page for verifying an e-mail, which Intuit asks apps to link. */
const INTUIT_SECURITY = "https://accounts.intuit.com/app/account-manager/security";

/** Page for a failed sign-in; the reason is in the query. */
export function SignInFailedPage() {
  const [query] = useSearchParams();
  const reason = words.reasons[query.get("reason") ?? ""] ?? words.reasons["other"];
  const supportId = query.get("support_id");
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <Sheet>
        <p>{reason}</p>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3 }}>
          <Button variant="contained" href={signInAddress(query.get("next") ?? undefined)}>
            {kitWords.tryAgain}
          </Button>
          {query.get("reason") === "unverified" ? (
            <PlainLink href={INTUIT_SECURITY}>{words.verify}</PlainLink>
          ) : null}
          <TextLink to="/">{words.home}</TextLink>
          <PlainLink href={contactAddress(supportId)}>{words.contact}</PlainLink>
        </Box>
        {supportId ? <SupportId id={supportId} /> : null}
      </Sheet>
    </>
  );
}
