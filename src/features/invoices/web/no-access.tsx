import { uploadWords } from "#features/invoices/web/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { Lock } from "lucide-react";

const words = uploadWords.noAccess;

/** Shown to a user without access to invoices, with whom to ask. */
export function NoAccess() {
  return (
    <Box component="section" aria-labelledby="no-access" sx={{ mt: 3 }}>
      <Box component="span" sx={{ color: "text.secondary", lineHeight: 0 }}>
        <Icon of={Lock} size="large" />
      </Box>
      <Typography variant="h2" id="no-access" sx={{ mt: 1, mb: 1 }}>
        {words.title}
      </Typography>
      <p style={{ margin: 0 }}>
        {words.ask} <PlainLink href="/contact/">{words.contact}</PlainLink>.
      </p>
    </Box>
  );
}
