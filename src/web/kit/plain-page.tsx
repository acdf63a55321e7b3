import { PageTitle } from "#web/kit/page-title.tsx";
import type { ReactNode } from "react";

/** A page of running text: a title and paragraphs, at a readable measure. */
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
    <div style={{ maxWidth: "70ch" }}>
      <PageTitle>{title}</PageTitle>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {children}
    </div>
  );
}
