import { isAway } from "#web/kit/api-error.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { waitingFiles } from "#web/kit/send-until-back.ts";
import { Notice } from "#web/kit/notice.tsx";
import { kitWords } from "#web/kit/words.ts";
import { useIsFetching, type Query } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";

const isRetried = ({ state }: Query): boolean => isAway(state.fetchFailureReason);

/** Explains while the browser is offline, or the server's database is away, that input is kept. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const retried = useIsFetching({ predicate: isRetried });
  const announce = useAnnounce();
  const files = useSyncExternalStore(waitingFiles.subscribe, waitingFiles.count);
  const { title } = isOnline ? kitWords.away : kitWords.offline;
  const text = !isOnline ? kitWords.offline.text : files > 0 ? kitWords.away.sending : kitWords.away.text;
  const isShown = !isOnline || retried + files > 0;
  useEffect(() => {
    if (isShown) announce(`${title} ${text}`);
  }, [isShown, title, text, announce]);
  if (!isShown) return null;
  return (
    <Notice tone="amber" icon={WifiOff} title={title}>
      <p>{text}</p>
    </Notice>
  );
}

function subscribe(changed: () => void) {
  const events = ["online", "offline"] as const;
  for (const event of events) window.addEventListener(event, changed);
  return () => {
    for (const event of events) window.removeEventListener(event, changed);
  };
}
