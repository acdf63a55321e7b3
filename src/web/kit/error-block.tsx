import { Notice } from "#web/kit/notice.tsx";
import { kitWords } from "#web/kit/words.ts";
import type { ReactNode } from "react";

type Props = {
  message: string | null | undefined;
  /** Null for a message beside its control. */
  title?: string | null;
  /** `alert` after an action; a message present at load is not announced. */
  role?: "alert" | "group";
  children?: ReactNode;
};

/** A title and a message of one or more lines; renders nothing without a message. */
export function ErrorBlock({ message, title = kitWords.errorTitle, role = "alert", children }: Props) {
  if (!message) return null;
  return (
    <Notice tone="red" role={role} {...(title ? { label: title, title } : {})}>
      <div style={{ whiteSpace: "pre-line" }}>{message}</div>
      {children}
    </Notice>
  );
}
