import { uploadWords } from "#features/invoices/web/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { Lock } from "lucide-react";

const words = uploadWords.noAccess;

/** Says that the page is not theirs, and whom to ask; nothing else of it would work. */
export function NoAccess() {
  const { company, email } = useSession();
  const admin = company?.admin && company.admin !== email ? company.admin : null;
  return (
    <Box component="section" aria-labelledby="no-access" sx={{ mt: 3 }}>
      <Box component="span" sx={{ color: "text.secondary", lineHeight: 0 }}>
        <Icon of={Lock} size="large" />
      </Box>
      <Typography variant="h2" id="no-access" sx={{ mt: 1, mb: 1 }}>
        {words.title}
      </Typography>
      <p style={{ margin: 0 }}>
        {admin ? (
          <>
            {words.ask} <PlainLink href={`mailto:${admin}`}>{admin}</PlainLink> {words.forAccess}
          </>
        ) : (
          <PlainLink href="/contact/">{words.contact}</PlainLink>
        )}
      </p>
    </Box>
  );
}
