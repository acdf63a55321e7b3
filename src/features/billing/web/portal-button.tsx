import { openPortal } from "#features/billing/contract.ts";
import { serviceWords as words } from "#features/billing/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { followRedirect } from "#web/kit/follow-redirect.ts";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import { useMutation } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";

export type Portal = { mutate: () => void; isPending: boolean; error: Error | null };

/** Opens the billing portal for a company's payer. */
export const usePortal = (realmId: string): Portal =>
  useMutation({
    mutationFn: async () => followRedirect(await call(openPortal, { query: { realm_id: realmId } })),
  });

/** Link to the user's payments in the portal. */
export function PortalButton({ portal }: { portal: Portal }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5, mt: 1 }}>
      <BusyButton
        variant="text"
        label={words.portal}
        isBusy={portal.isPending}
        onClick={() => portal.mutate()}
        startIcon={<Icon of={ExternalLink} size="small" />}
        // Aligns its text, not its edge, with the text above.
        sx={{ ml: -1 }}
      />
      <Box component="span" sx={{ typography: "caption", color: "text.caption" }}>
        {words.portalHas}
      </Box>
    </Box>
  );
}
