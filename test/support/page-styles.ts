import { beforeEach } from "vitest";

/**
 * Drops every style rule that the product inserts. jsdom has no layout; parsing the rules, and matching them at each
 * look at what is visible, took a third of the tests' time. Browser journeys prove what styles do.
 */
beforeEach(() => {
  CSSStyleSheet.prototype.insertRule = () => 0;
});
