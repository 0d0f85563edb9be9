import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Ends an answer with the bytes of `stream`, as fast as the client takes them. A reader who leaves half-way is no error; a store that
 * breaks can only be told by breaking the connection. Either way `stream` is destroyed.
 */
export const sendStream = async (stream: Readable, res: Response): Promise<void> => {
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      res.write(chunk, (error) => {
        if (!error) free(chunk);
        done(error);
      });
    },
    final: (done) => void res.end(done),
  });
  res.once('close', () => sink.destroy());
  try {
    await pipeline(stream, sink);
  } catch (error) {
    if (!res.destroyed) res.destroy(error as Error);
  }
};

/**
 * Gives the memory of a chunk back now. Left to garbage collection, which begins when 64 MiB lie outside of its heap, one reader of a
 * long film cost 70–90 MB (measured in 2026-11); so it costs 5. Bytes that share their memory with others stay.
 */
const free = ({ buffer, byteLength }: Buffer): void => {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
};
