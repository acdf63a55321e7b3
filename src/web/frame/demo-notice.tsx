import { inset } from "#web/frame/inset.ts";
import { frameWords } from "#web/frame/words.ts";
import { boot } from "#web/kit/boot.ts";
import { useSessionFlag } from "#web/kit/session-flag.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { toned } from "#web/theme/tone.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

/** Says that the vendors are simulated; hidden for the browser session when dismissed. */
export function DemoNotice() {
  const [hidden, hide] = useSessionFlag("demoNoticeHidden");
  if (!boot.demo || hidden) return null;
  return (
    <Box
      component="aside"
      aria-label={frameWords.demo}
      data-print="never"
      sx={(theme) => ({
        display: "flex",
        alignItems: "center",
        gap: 2,
        ...inset,
        py: 0.5,
        fontSize: { xs: "0.875rem", sm: "1rem" },
        ...toned(theme, "blue"),
      })}
    >
      <p style={{ margin: 0 }}>
        {frameWords.demo}{" "}
        {boot.simulators ? (
          <PlainLink href={boot.simulators.intuit} style={{ color: "inherit" }}>
            {frameWords.openBooks}
          </PlainLink>
        ) : null}
      </p>
      <Button color="inherit" aria-label={frameWords.hideDemo} onClick={hide} sx={{ ml: "auto" }}>
        {frameWords.hide}
      </Button>
    </Box>
  );
}
