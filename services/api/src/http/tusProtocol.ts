import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import { tusVersion } from '@hearth/contract/uploads.ts';
import { AppError } from '@hearth/core/log/errors.ts';

/** Handles the parts of the tus protocol that concern every request: the version header, and `X-HTTP-Method-Override`. */
export const speakTus: RequestHandler = (req, res, next) => {
  res.set('Tus-Resumable', tusVersion);
  const override = req.headers['x-http-method-override'];
  if (req.method === 'POST' && (override === 'PATCH' || override === 'DELETE')) req.method = override;
  next();
};

/**
 * The parsed headers of a request that uses Hearth's version of the protocol.
 * @throws AppError TUS_VERSION_UNSUPPORTED or VALIDATION_FAILED
 */
export const readTusHeaders = <Schema extends z.ZodObject>(req: Request, schema: Schema): z.output<Schema> => {
  if (req.headers['tus-resumable'] !== tusVersion) {
    req.res?.set('Tus-Version', tusVersion);
    throw new AppError('TUS_VERSION_UNSUPPORTED');
  }
  const names = Object.keys(schema.shape);
  const parsed = schema.safeParse(Object.fromEntries(names.map((name) => [name, req.headers[name.toLowerCase()]])));
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: ['headers', ...path].join('.'), message }));
  throw new AppError('VALIDATION_FAILED', undefined, { errors });
};
