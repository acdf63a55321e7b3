import type { SessionCompany } from "#features/identity/contract.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { Icon } from "#web/kit/icon.tsx";
import { useSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { FileCheck, Files, MailWarning, Truck } from "lucide-react";
import { Link } from "react-router";

const words = trackingWords.offer;

const ICONS = [Truck, FileCheck, MailWarning, Files];

/** The Tracking Service for a company that doesn't have it, and where it is turned on. */
export function Offer({ company }: { company: SessionCompany }) {
  const { isCompanyAdmin } = useSession();
  return (
    <Box sx={{ mt: 4, maxWidth: "48rem" }}>
      <Box
        component="ul"
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "minmax(0, 1fr) minmax(0, 1fr)" },
          gap: { xs: 2.5, sm: "32px 48px" },
          m: 0,
          p: 0,
          listStyle: "none",
        }}
      >
        {words.points.map(({ title, text }, index) => (
          <Box component="li" key={title} sx={{ display: "flex", gap: 1.5 }}>
            <Box component="span" sx={{ pt: "2px", color: "secondary.ink" }}>
              <Icon of={ICONS[index] ?? Truck} />
            </Box>
            <span>
              <b>{title}</b>
              <Box component="span" sx={{ display: "block", color: "text.secondary" }}>
                {text}
              </Box>
            </span>
          </Box>
        ))}
      </Box>
      <Box sx={{ mt: 4, pt: 3, borderTop: 1, borderColor: "divider", "& > p": { m: 0, mb: 2 } }}>
        <p>
          {words.needs} {boot.sellsTracking && boot.trackingPrice ? words.costs(boot.trackingPrice) : null}
        </p>
        {!boot.sellsTracking ? (
          <p>{words.notSold}</p>
        ) : isCompanyAdmin ? (
          <Button component={Link} to={trackingWords.servicesHref} variant="contained">
            {words.turnOn}
          </Button>
        ) : (
          <p>{words.admin(company.admin)}</p>
        )}
      </Box>
    </Box>
  );
}
