import { identityWords } from "#features/identity/web/words.ts";
import { PageTitle } from "#web/kit/page-head.tsx";
import { Sheet } from "#web/kit/card.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

const words = identityWords.signOut;

/** Asks before signing out if a link on another site led here. */
export function SignOutPage() {
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <Sheet>
        <p>{words.text}</p>
        <Box
          component="form"
          method="post"
          action="/logout/"
          sx={{ display: "flex", alignItems: "center", gap: 3 }}
        >
          <Button type="submit" variant="contained">
            {words.button}
          </Button>
          <TextLink to="/">{words.stay}</TextLink>
        </Box>
      </Sheet>
    </>
  );
}
