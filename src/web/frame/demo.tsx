import { inset } from "#web/frame/inset.ts";
import { frameWords } from "#web/frame/words.ts";
import { booksAddress, boot } from "#web/kit/boot.ts";
import { useSession } from "#web/kit/session/session.ts";
import { useSessionFlag } from "#web/kit/storage.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Icon } from "#web/kit/icon.tsx";
import { styled } from "@mui/material/styles";
import { ExternalLink } from "lucide-react";

/** Explains that the vendors are simulated; hidden for the browser session when dismissed. */
export function DemoNotice() {
  const { company } = useSession();
  const [hidden, hide] = useSessionFlag("demoNoticeHidden");
  const books = booksAddress(company?.id);
  if (!boot.demo || hidden) return null;
  return (
    <Box
      component="aside"
      aria-label={frameWords.demo}
      data-print="never"
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 2,
        ...inset,
        borderBottom: 1,
        borderColor: "divider",
        typography: "caption",
        color: "text.secondary",
        backgroundColor: "background.sunken",
      }}
    >
      <p style={{ flex: 1, margin: 0, padding: "4px 0" }}>
        {/* A fixed width, so that the link does not move when the font loads. */}
        <span style={{ display: "inline-block", minWidth: "min(100%, 18.4em)" }}>{frameWords.demo}</span>{" "}
        {books ? (
          <PlainLink href={books} style={{ color: "inherit" }}>
            {frameWords.openBooks}
          </PlainLink>
        ) : null}
      </p>
      <Button
        size="small"
        aria-label={frameWords.hideDemo}
        onClick={hide}
        sx={{ ml: "auto", minHeight: { xs: 32, sm: 28 }, mr: -1 }}
      >
        {frameWords.hide}
      </Button>
    </Box>
  );
}

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
  // On narrower screens the notice below the bar has the link.
  [theme.breakpoints.up("lg")]: { display: "inline-flex" },
}));

/** Explains that the data is not real, and links to the simulated books of the company. */
export function DemoLink() {
  const { company, authStatus } = useSession();
  const address = booksAddress(company?.id);
  // The notice below the bar has the same link.
  const [isNoticeHidden] = useSessionFlag("demoNoticeHidden");
  if (!boot.demo || !address || authStatus !== "success" || !isNoticeHidden) return null;
  return (
    <Chip href={address} title={frameWords.openBooks}>
      {frameWords.demoData}
      <Icon of={ExternalLink} size={13} />
    </Chip>
  );
}
