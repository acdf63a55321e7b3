/**
 * Attributes that affect rendering; a recording keeps only these. Others may quote documents: names, titles, links and data. If a
 * forged recording contained URLs, the browser that plays it would request them.
 */
const DRAWN =
  /^(class|style|role|type|rel|dir|lang|hidden|open|disabled|checked|colspan|rowspan|width|height|viewbox|d|x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|points|transform|xmlns|fill.*|stroke.*|rr_(width|height|scrollleft|scrolltop|open_mode)|_csstext|aria-(expanded|hidden|selected|current|checked|disabled|busy|modal|sort))$/i;

/** Keeps only those attributes of an element that affect rendering. */
export const keepVisualAttributes = (attributes: object): object =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => DRAWN.test(name)));
