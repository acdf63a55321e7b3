import { frameWords } from "#web/frame/words.ts";
import { boot } from "#web/kit/boot.ts";
import { booksAddress } from "#web/kit/books-address.ts";
import { Icon } from "#web/kit/icon.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { styled } from "@mui/material/styles";
import { ExternalLink } from "lucide-react";

const Chip = styled("a")(({ theme }) => ({
  display: "none",
  alignItems: "center",
  gap: 5,
  minHeight: 24,
  padding: "0 8px",
  borderRadius: 4,
  fontSize: "0.78125rem",
  fontWeight: 700,
  whiteSpace: "nowrap",
  textDecoration: "none",
  color: (theme.vars ?? theme).palette.text.secondary,
  boxShadow: `inset 0 0 0 1px ${(theme.vars ?? theme).palette.line.strong}`,
  "&:hover": { color: (theme.vars ?? theme).palette.text.primary },
  "@media (forced-colors: active)": { border: "1px solid" },
  // Where there is less room, the notice below the bar leads there.
  [theme.breakpoints.up("lg")]: { display: "inline-flex" },
}));

/** Says for as long as it is so that the data is not real, and leads to the simulated books of the company. */
export function DemoLink() {
  const { company, authStatus } = useSession();
  const address = booksAddress(company?.id);
  if (!boot.demo || !address || authStatus !== "success") return null;
  return (
    <Chip href={address} title={frameWords.openBooks}>
      {frameWords.demoData}
      <Icon of={ExternalLink} size={13} />
    </Chip>
  );
}
