import { ConnectionLine } from "#features/carrier/web/connection-line.tsx";
import { carrierWords } from "#features/carrier/web/words.ts";
import { useDisconnect } from "#features/carrier/web/use-disconnect.ts";
import type { CompanyView } from "#features/companies/contract.ts";
import { boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { focusHeading } from "#web/kit/focus.ts";
import { Chip } from "#web/kit/chip.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { styled } from "@mui/material/styles";
import { useId } from "react";

const words = carrierWords.linked;

const Line = styled("li")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)",
  gap: "4px 16px",
  alignItems: "center",
  padding: "13px 0",
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  ...typeScale.table,
  "& > :last-child": { color: (theme.vars ?? theme).palette.text.secondary },
  [theme.breakpoints.down("sm")]: { gridTemplateColumns: "minmax(0, 1fr)" },
}));

/** A linked UPS account without the Tracking Service: what works, what needs the service, and Disconnect. */
export function LinkedAccount({ company }: { company: CompanyView }) {
  const id = useId();
  const { ups_account: account = "", ups_state: state } = company.settings ?? {};
  const disconnect = useDisconnect(company.id, account, focusHeading);
  if (account === "") return null;
  return (
    <Box component="section" aria-labelledby={id} sx={{ mt: 4 }}>
      <Typography id={id} component="h2" variant="h4" sx={{ m: 0, mb: 1 }}>
        {carrierWords.account}
      </Typography>
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: "8px 16px",
          py: 2,
          border: "solid",
          borderWidth: "1px 0",
          borderTopColor: "line.strong",
          borderBottomColor: "divider",
        }}
      >
        <Box sx={{ flex: 1 }}>
          <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "4px 12px" }}>
            <b>{words.ending(account.slice(-4))}</b>
            {state === "connected" ? (
              <Chip tone="ok">{words.connected}</Chip>
            ) : (
              <Chip tone="amber">{words.attention}</Chip>
            )}
          </Box>
          <ConnectionLine of={company.ups_connection} />
        </Box>
        <BusyButton
          label={carrierWords.disconnect}
          isBusy={disconnect.isPending}
          onClick={() => disconnect.mutate()}
        />
      </Box>
      <FailedCall error={disconnect.error} title={carrierWords.disconnectError} />
      <Box component="ul" aria-label={words.list} sx={{ m: 0, p: 0, listStyle: "none" }}>
        <Line>
          <span>{words.labels(boot.retailer)}</span>
          <span>
            <Chip tone="ok">{words.works}</Chip>
          </span>
        </Line>
        <Line>
          <span>{words.tracking}</span>
          <span>{words.needs}</span>
        </Line>
      </Box>
      <Box component="p" sx={{ mt: 1.5, mb: 0, typography: "caption", color: "text.caption" }}>
        {state === "connected" ? words.disconnecting : words.reconnecting}
      </Box>
    </Box>
  );
}
