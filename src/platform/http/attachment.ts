/**
 * The header of a document that is to be saved under a name.
 * @param plain the name for readers that know ASCII only
 */
export const attachment = (name: string, plain: string): string =>
  `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`;

/** As a header's extended value allows it: `encodeURIComponent` leaves some marks that it does not. */
const encodeName = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
