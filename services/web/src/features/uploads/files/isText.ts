/** Bytes read to detect text. Every photo and video contains a zero or invalid byte in this range. */
const headBytes = 4096;

/**
 * Returns whether a file is plain text by content: UTF-8 without zero bytes. The server would refuse it, so this saves
 * the upload.
 */
export const isText = async (file: Blob): Promise<boolean> => {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  if (head.includes(0)) return false;
  try {
    // Streaming mode permits a character cut off at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
};
