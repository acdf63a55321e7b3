/**
 * Attributes that draw a page, and are all that a recording keeps. Others may quote documents: names, titles, links and data. In
 * a forged recording, the browser that plays it would ask for the addresses among them.
 */
const DRAWN =
  /^(class|style|role|type|rel|dir|lang|hidden|open|disabled|checked|colspan|rowspan|width|height|viewbox|d|x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|points|transform|xmlns|fill.*|stroke.*|rr_(width|height|scrollleft|scrolltop|open_mode)|_csstext|aria-(expanded|hidden|selected|current|checked|disabled|busy|modal|sort))$/i;

/** Leaves out of an element's attributes all that do not draw it. */
export const keepDrawn = (attributes: object): object =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => DRAWN.test(name)));
