import { afterEach } from "vitest";

/**
 * Each mounted product writes its styles to an element of its own and leaves it behind, as a page does that ends with
 * it. In the document that the tests of a file share, every look at what is visible would read those of all before.
 * Components without the product around them write to elements with text, which they go on using.
 */
afterEach(() => {
  for (const style of document.head.querySelectorAll("style[data-emotion]"))
    if (style.textContent === "") style.remove();
});
