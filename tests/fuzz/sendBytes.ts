import { openSocket, readAnswers } from '@hearth/testkit/api/rawExchange.ts';
import type { RawAnswer } from '@hearth/testkit/api/answerChecker.ts';

/** Bytes to send on one connection. */
export interface Message {
  readonly bytes: Buffer;
  /**
   * True if the server can detect the end of the request and must respond. Otherwise it may wait until the client
   * half-closes.
   */
  readonly isWhole: boolean;
  /** Number of bytes after which the client destroys the connection. */
  readonly vanishAfter?: number | undefined;
}

/** Timeout for every response in ms, generous enough for a busy machine. */
const patienceMs = 30_000;

/** Milliseconds after which the client of an incomplete request half-closes the connection. */
const silenceMs = 250;

/**
 * Sends a message and returns every response until the connection is closed.
 * @throws Error if the server neither responds nor closes the connection in time, or sends no HTTP
 */
export const sendBytes = async (
  url: string,
  { bytes, isWhole, vanishAfter }: Message,
): Promise<readonly RawAnswer[]> => {
  const socket = await openSocket(Number(new URL(url).port));
  const answers = readAnswers(socket);
  let isLate = false;
  const patience = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, patienceMs);
  const silence = setTimeout(() => !isWhole && socket.end(), silenceMs);
  if (vanishAfter === undefined) socket.write(bytes);
  else socket.write(bytes.subarray(0, vanishAfter), () => socket.destroy());
  try {
    const received = await answers;
    if (isLate) throw new Error(`no response within ${patienceMs} ms`);
    return received;
  } finally {
    clearTimeout(patience);
    clearTimeout(silence);
  }
};
