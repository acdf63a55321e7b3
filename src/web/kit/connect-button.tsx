import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";

type Props = {
  /** The page's main action, or one choice among others. */
  variant?: "contained" | "outlined";
};

/** Opens the page for connecting a company. */
export function ConnectButton({ variant = "contained" }: Props) {
  return (
    <Button href="/get-app/" variant={variant}>
      {kitWords.connect}
    </Button>
  );
}
