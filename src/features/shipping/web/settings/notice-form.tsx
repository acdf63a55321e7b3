import { noticeSettingsQuery } from "#features/shipping/web/settings/queries.ts";
import { noticeSettingsWords as words } from "#features/shipping/web/settings/words.ts";
import { changeNoticeSettings, type NoticeSettings } from "#features/orders/notices-out/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Hint } from "#web/kit/settings-group.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { useCommand } from "#web/kit/query-client.ts";
import { useChanges } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";

/** When notices for the retailer leave, and under which name. */
export function NoticeForm({ realmId }: { realmId: string }) {
  const { data, error, refetch } = useQuery(noticeSettingsQuery(realmId));
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      {data ? <Fields realmId={realmId} read={data} /> : null}
    </>
  );
}

type Props = { realmId: string; read: NoticeSettings & { time_zone: string } };

function Fields({ realmId, read: { time_zone: timeZone, ...settings } }: Props) {
  const { changes, change, forget } = useChanges<NoticeSettings>("notice-settings.", realmId);
  const hints = [useId(), useId()] as const;
  const edited = { ...settings, ...changes };
  const save = useCommand(() => call(changeNoticeSettings, { body: edited, realmId }), {
    done: words.saved,
    changed: [noticeSettingsQuery(realmId).queryKey],
  });
  return (
    <Box
      component="form"
      noValidate
      aria-label={words.title(boot.retailer)}
      sx={{ mt: 4 }}
      onSubmit={(event) => {
        event.preventDefault();
        // Saved values are shown once they are read again; a failure is shown below.
        if (!save.isPending)
          void save.mutateAsync().then(
            () => forget(changes),
            () => undefined,
          );
      }}
    >
      <fieldset>
        <Box component="legend" sx={{ mb: 1, fontWeight: 700 }}>
          {words.title(boot.retailer)}
        </Box>
        <Box
          sx={{
            display: "grid",
            gap: 1.5,
            mb: 2,
            alignItems: "start",
            gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 16rem), 1fr))",
          }}
        >
          <div>
            <TextInput
              label={words.cutOff}
              value={edited.cut_off}
              maxLength={5}
              autoComplete="off"
              aria-describedby={hints[0]}
              onChange={({ target }) => change({ cut_off: target.value })}
            />
            <Hint id={hints[0]}>{words.cutOffHint(timeZone)}</Hint>
          </div>
          <div>
            <TextInput
              label={words.senderId(boot.retailer)}
              value={edited.sender_id}
              maxLength={15}
              autoComplete="off"
              aria-describedby={hints[1]}
              onChange={({ target }) => change({ sender_id: target.value })}
            />
            <Hint id={hints[1]}>{words.senderIdHint}</Hint>
          </div>
        </Box>
      </fieldset>
      <BusyButton type="submit" label={words.save} isBusy={save.isPending} />
      <FailedCall error={save.isPending ? null : save.error} />
    </Box>
  );
}
