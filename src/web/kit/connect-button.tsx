import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";

/** Leads to where a company is connected. */
export function ConnectButton() {
  return (
    <Button href="/get-app/" variant="contained" color="secondary">
      {kitWords.connect}
    </Button>
  );
}
