import { inset } from "#web/frame/inset.ts";
import { frameWords } from "#web/frame/words.ts";
import { booksAddress } from "#web/kit/books-address.ts";
import { boot } from "#web/kit/boot.ts";
import { useSession } from "#web/kit/session/session.ts";
import { useSessionFlag } from "#web/kit/session-flag.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

/** Says that the vendors are simulated; hidden for the browser session when dismissed. */
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
        {/* As wide as in any font, so that the link stays where it is when ours comes. */}
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
