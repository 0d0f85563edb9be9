import type { Request, Response } from 'express';
import type { EventStream } from '../../events/eventStream.ts';

/** Sends an event stream and resolves when it has ended. */
export const sendEvents = async (req: Request, res: Response, stream: EventStream): Promise<void> => {
  res.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Keeps proxies from buffering the response, which would delay events.
    'X-Accel-Buffering': 'no',
  });
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  // A write to a broken connection emits this event.
  res.on('error', () => undefined);
  let isDrained = res.write(`retry: ${retryMs}\n\n`);
  res.on('drain', () => (isDrained = true));
  const closed = Promise.withResolvers<void>();
  res.on('close', () => closed.resolve());
  const onClosed = stream.begin({
    isDrained: () => isDrained,
    write: (text) => {
      isDrained = res.write(text);
    },
    end: () => res.end(),
    drop: () => res.destroy(),
  });
  await closed.promise;
  onClosed();
};

/** Reconnection delay of clients, in ms. */
const retryMs = 2_000;
