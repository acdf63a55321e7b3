import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { kitWords } from "#web/kit/words.ts";
import { WifiOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";

const words = kitWords.offline;

/** Explains while the browser is offline that nothing is sent and that input is kept. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const announce = useAnnounce();
  useEffect(() => {
    if (!isOnline) announce(`${words.title} ${words.text}`);
  }, [isOnline, announce]);
  if (isOnline) return null;
  return (
    <Notice tone="amber" icon={WifiOff} title={words.title}>
      <p>{words.text}</p>
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
