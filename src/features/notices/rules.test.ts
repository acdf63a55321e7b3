import { expect, test } from "vitest";
import { renderMail } from "#features/notices/rules.ts";

test("US-16 names in a mail are plain text: they create neither markup nor a second header line", () => {
  const { subject, text, html } = renderMail(
    {
      subject: "You were added to <b>Acme</b>\r\nBcc: all@acme.example",
      paragraphs: ['<img src=x onerror="alert(1)"> & Co added you.', "Sign in."],
      link: { label: "Sign in", url: "https://dockside.example/login/?a=1&b=2" },
    },
    "Sent by Dockside",
  );
  expect(subject).toBe("You were added to <b>Acme</b> Bcc: all@acme.example");
  expect(text).toBe(
    '<img src=x onerror="alert(1)"> & Co added you.\n\nSign in.\n\nSign in: https://dockside.example/login/?a=1&b=2\n\n-- \nSent by Dockside',
  );
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Co added you.");
  expect(html).not.toMatch(/<(img|b|script)\b/);
  expect(html).toContain('href="https://dockside.example/login/?a=1&amp;b=2"');
});
