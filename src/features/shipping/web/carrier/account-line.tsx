import type { OpenOrders } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { carrierTabWords as words } from "#features/shipping/web/carrier/words.ts";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

/** The UPS account, and whether UPS still accepts its connection; nothing without one. */
export function AccountLine({ ending, isRefused }: { ending: string; isRefused: boolean }) {
  if (ending === "") return null;
  return (
    <Box sx={{ display: "flex", gap: 1.25, mt: 2, color: "text.secondary" }}>
      <Box
        component="span"
        aria-hidden="true"
        sx={({ vars, palette }) => ({
          flex: "none",
          width: 8,
          height: 8,
          mt: 1,
          borderRadius: "50%",
          backgroundColor: isRefused ? (vars ?? { palette }).palette.status.amber.rule : "secondary.main",
        })}
      />
      <span>
        {isRefused ? words.refusedAccount(ending) : words.account(ending)}{" "}
        <TextLink to={words.settingsHref}>
          {isRefused ? words.blocked.reconnect_needed.link : words.changeAccount}
        </TextLink>
      </span>
    </Box>
  );
}

type BlockedProps = { blocked: OpenOrders["blocked"]; admin: string | null };

/** Why no labels can be made now, and where that is changed: by the admin. */
export function BlockedNotice({ blocked, admin }: BlockedProps) {
  const { isCompanyAdmin } = useSession();
  const { openSettings } = useCarrier();
  if (blocked === null) return null;
  const { title, text, link } = words.blocked[blocked];
  return (
    <Notice tone="amber" role="group" title={title}>
      <p>
        {text} {isCompanyAdmin ? null : words.askAdmin(admin)}
      </p>
      {!isCompanyAdmin ? null : blocked === "no_ship_from" ? (
        <Button variant="outlined" size="small" onClick={openSettings} sx={{ mt: 1 }}>
          {link}
        </Button>
      ) : (
        <TextLink to={words.settingsHref}>{link}</TextLink>
      )}
    </Notice>
  );
}
