import { connect } from 'node:net';
import { parseAnswers, type HttpAnswer } from './httpBytes.ts';

/** Bytes to send on one connection. */
export interface Message {
  readonly bytes: Buffer;
  /** Whether the server can tell where the request ends: then it must answer; else it may wait for more, until told that none comes. */
  readonly isWhole: boolean;
  /** Bytes after which the client vanishes without a word; none unless given. */
  readonly vanishAfter?: number | undefined;
}

/** Milliseconds within which everything must have been answered, however busy the machine is. */
const patienceMs = 30_000;

/** Milliseconds of silence after which a client whose request may not be whole says that nothing more comes. */
const silenceMs = 250;

/**
 * Sends a message and answers all that came back until the first whole answer or the end of the connection.
 * @throws where the server neither answers nor closes the connection in time, or sends what is no HTTP
 */
export const exchange = async (
  url: string,
  { bytes, isWhole, vanishAfter }: Message,
): Promise<readonly HttpAnswer[]> => {
  const isHead = bytes.subarray(0, 5).toString() === 'HEAD ';
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  const done = Promise.withResolvers<void>();
  const patience = setTimeout(() => done.reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
  const silence = setTimeout(() => !isWhole && socket.end(), silenceMs);
  // A reset is an answer too: what came before it counts.
  socket
    .on('error', () => undefined)
    .on('close', () => done.resolve())
    .on('end', () => done.resolve());
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    try {
      if (parseAnswers(received, isHead).answers.some(({ status }) => status >= 200)) done.resolve();
    } catch (error) {
      done.reject(error);
    }
  });
  if (vanishAfter === undefined) socket.write(bytes);
  else socket.write(bytes.subarray(0, vanishAfter), () => socket.destroy());
  try {
    await done.promise;
    const { answers, rest } = parseAnswers(received, isHead);
    // The answer to the second of two requests in one message may still be under way.
    if (answers.length === 0 && rest.length > 0) throw new Error(`half an answer: ${rest.toString('latin1')}`);
    return answers;
  } finally {
    clearTimeout(patience);
    clearTimeout(silence);
    socket.destroy();
  }
};
