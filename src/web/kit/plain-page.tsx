import { PageTitle } from "#web/kit/page-title.tsx";
import { Sheet } from "#web/kit/sheet.tsx";
import type { ReactNode } from "react";

/** A page of running text: a title and paragraphs on paper. */
export function PlainPage({
  title,
  paragraphs,
  children,
}: {
  title: string;
  paragraphs: readonly string[];
  children?: ReactNode;
}) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <Sheet>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {children}
      </Sheet>
    </>
  );
}
