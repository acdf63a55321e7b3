/**
 * Header value of a document to save under a name.
 * @param plain the name for clients that support only ASCII
 */
export const attachment = (name: string, plain: string): string =>
  `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`;

/** Encodes a header's extended value: `encodeURIComponent` leaves some characters unencoded that the header format forbids. */
const encodeName = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
