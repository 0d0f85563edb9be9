/** How much of a file tells whether it is a text, in bytes: no photo or video is without a byte that no text has for so long. */
const headBytes = 4096;

/**
 * Whether a file is plain text, whatever its name says: UTF-8 without the byte 0. The server refuses it by its content; a page that knows it need not
 * ask.
 */
export const isText = async (file: Blob): Promise<boolean> => {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  if (head.includes(0)) return false;
  try {
    // A character that the end of the head cuts apart is no error while more is to come.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
};
