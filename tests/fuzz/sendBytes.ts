import { openSocket, readResponses } from '@hearth/testkit/api/rawExchange.ts';
import type { RawResponse } from '@hearth/testkit/api/responseChecker.ts';

/** Bytes to send on one connection. */
export interface RawRequest {
  readonly bytes: Buffer;
  /**
   * True if the server can detect the end of the request and must respond. Otherwise it may wait until the client
   * half-closes.
   */
  readonly isWhole: boolean;
  /** Number of bytes after which the client destroys the connection. */
  readonly disconnectAfter?: number | undefined;
}

/** Timeout for every response in ms, generous enough for a busy machine. */
const timeoutMs = 30_000;

/** Milliseconds after which the client of an incomplete request half-closes the connection. */
const silenceMs = 250;

/**
 * Sends a message and returns every response until the connection is closed.
 * @throws Error if the server neither responds nor closes the connection in time, or sends no HTTP
 */
export const sendBytes = async (
  url: string,
  { bytes, isWhole, disconnectAfter }: RawRequest,
): Promise<readonly RawResponse[]> => {
  const socket = await openSocket(Number(new URL(url).port));
  const responses = readResponses(socket);
  let isLate = false;
  const timeout = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, timeoutMs);
  const silenceTimer = setTimeout(() => !isWhole && socket.end(), silenceMs);
  if (disconnectAfter === undefined) socket.write(bytes);
  else socket.write(bytes.subarray(0, disconnectAfter), () => socket.destroy());
  try {
    const received = await responses;
    if (isLate) throw new Error(`no response within ${timeoutMs} ms`);
    return received;
  } finally {
    clearTimeout(timeout);
    clearTimeout(silenceTimer);
  }
};
