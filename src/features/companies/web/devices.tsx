import { type Device, signOutDevices } from "#features/identity/contract.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { devicesQuery } from "#features/companies/web/queries.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment } from "#web/kit/format.ts";
import { queryKeys, useCommand } from "#web/kit/query-client.ts";
import { OpenRow } from "#web/kit/rows.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

const words = companyWords.devices;
const OTHERS = "others";

/** Devices that the user is signed in on. */
export function DevicesRow() {
  const { data } = useQuery(devicesQuery);
  return (
    <OpenRow {...words.row} state={data ? words.count(data.devices.length) : null}>
      <Devices />
    </OpenRow>
  );
}

/** Each device with a button to sign it out, and one button for all others. */
function Devices() {
  const { data, error, isPending, refetch } = useQuery(devicesQuery);
  const signOut = useCommand((id: string) => call(signOutDevices, { query: { id } }), {
    done: ({ signed_out: count }) => words.done(count),
    changed: [queryKeys.devices],
  });
  const others = data?.devices.filter((device) => !device.is_this) ?? [];
  const button = (id: string, label: string, detail?: string) => (
    <BusyButton
      label={label}
      detail={detail}
      isBusy={signOut.isPending && signOut.variables === id}
      onClick={() => signOut.mutate(id)}
    />
  );
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={words.row.loading} rows={1} columns={2} height={61}>
        <Box component="ul" aria-label={words.row.title} sx={LIST}>
          {data?.devices.map((device) => (
            <DeviceRow key={device.id} device={device}>
              {device.is_this ? null : button(device.id, words.signOut, deviceName(device))}
            </DeviceRow>
          ))}
        </Box>
      </Skeleton>
      <FailedCall error={signOut.error} />
      {others.length > 1 ? <Box sx={{ mt: 2 }}>{button(OTHERS, words.signOutOthers)}</Box> : null}
    </>
  );
}

const deviceName = ({ name }: Device) => name || words.unknown;

function DeviceRow({ device, children }: { device: Device; children: ReactNode }) {
  const facts = [
    device.is_this ? words.thisOne : words.lastSeen(formatMoment(device.last_seen_at)),
    words.signedIn(formatMoment(device.signed_in_at)),
  ];
  return (
    <ListRow name={deviceName(device)} facts={facts}>
      {children}
    </ListRow>
  );
}
