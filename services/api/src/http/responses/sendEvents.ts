import type { Request, Response } from 'express';
import type { EventStream } from '../../events/eventStream.ts';

/** Sends a stream of events and resolves when it is over. */
export const sendEvents = async (req: Request, res: Response, stream: EventStream): Promise<void> => {
  res.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Tells proxies not to buffer the answer, which would delay events.
    'X-Accel-Buffering': 'no',
  });
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  // A write to a broken connection fails by this event.
  res.on('error', () => undefined);
  let isDrained = res.write(`retry: ${retryMs}\n\n`);
  res.on('drain', () => (isDrained = true));
  const closed = Promise.withResolvers<void>();
  res.on('close', () => closed.resolve());
  const onOver = stream.begin({
    isDrained: () => isDrained,
    write: (text) => {
      isDrained = res.write(text);
    },
    end: () => res.end(),
    drop: () => res.destroy(),
  });
  await closed.promise;
  onOver();
};

/** Milliseconds after which a client reconnects by default. */
const retryMs = 2_000;
