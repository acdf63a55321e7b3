import { totalsWords as words } from "#features/sheets/web/words.ts";
import { Notice } from "#web/kit/notice.tsx";
import type { ReactNode } from "react";

type Props = { texts: readonly string[]; children?: ReactNode };

/** Says above everything else which totals of a file don't add up, with both sums. */
export const TotalsNotice = ({ texts, children }: Props) =>
  texts.length > 0 ? (
    <Notice tone="amber" title={words.differ(texts.length)}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {children}
    </Notice>
  ) : null;
