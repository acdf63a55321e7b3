import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";

type Props = {
  /** The page's one action, or a choice among others. */
  variant?: "contained" | "outlined";
};

/** Leads to where a company is connected. */
export function ConnectButton({ variant = "contained" }: Props) {
  return (
    <Button href="/get-app/" variant={variant}>
      {kitWords.connect}
    </Button>
  );
}
