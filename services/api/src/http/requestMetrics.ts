import type { RequestHandler } from 'express';
import { metrics } from '@hearth/core/metrics/metrics.ts';

/** Measures every request under its route's pattern, so that ids become no labels. */
export const measureRequests: RequestHandler = (req, res, next) => {
  const end = metrics.requestSeconds.startTimer();
  res.on('close', () => {
    const route = (req.route as { path?: string } | undefined)?.path ?? 'none';
    end({ route, method: req.method, status: res.statusCode });
  });
  next();
};
