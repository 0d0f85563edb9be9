import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Request } from 'express';
import type { z } from 'zod';
import { AppError } from '@hearth/core/log/errors.ts';
import { requireUtf8Parts } from './strictText.ts';

/** The file part of a multipart request, while it arrives. */
export interface IncomingFile<Fields> {
  /** The client's name for the file, without folders; may be empty. */
  readonly filename: string;
  /** The text parts; all of them precede the file. */
  readonly fields: Fields;
  readonly body: Readable;
  /** Aborted when the client vanishes or the request proves invalid. */
  readonly signal: AbortSignal;
  /** Resolves when the whole request has been read and is valid. */
  readonly received: Promise<void>;
}

/** The limits of a multipart request. */
export interface MultipartLimits<Schema extends z.ZodType> {
  readonly fileField: string;
  readonly fields: Schema;
  readonly maxFileBytes: number;
  /** Aborted to refuse the request while it arrives; the reason is the error to answer. */
  readonly ending?: AbortSignal;
}

/**
 * Reads a multipart request with one file, passes the file to `take` as a stream while it arrives, and answers the result of `take`. Memory
 * holds only the bytes in flight.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, MALFORMED_REQUEST, VALIDATION_FAILED or PAYLOAD_TOO_LARGE, and what `ending` is aborted with
 */
export const receiveFile = async <Schema extends z.ZodType, Result>(
  req: Request,
  limits: MultipartLimits<Schema>,
  take: (file: IncomingFile<z.output<Schema>>) => Promise<Result>,
): Promise<Result> => {
  const parser = openParser(req, limits);
  const cancel = new AbortController();
  const whole = Promise.withResolvers<void>();
  const fields = new Map<string, string>();
  let taken: Promise<Result> | undefined;

  // Not by `pipeline`, which would destroy the request and its socket, so that the client could not read the error.
  const fail = (error: Error): void => {
    req.unpipe(parser);
    parser.destroy();
    cancel.abort(error);
    whole.reject(error);
  };
  whole.promise.catch(() => undefined);
  requireUtf8Parts(parser, limits.fileField, fail);
  limits.ending?.addEventListener('abort', () => fail(limits.ending?.reason as Error));

  parser.on('field', (name: string, value: string, isNameCut: boolean, isValueCut: boolean) => {
    if (isNameCut || isValueCut) fail(new AppError('PAYLOAD_TOO_LARGE', `the part "${name}" is too long`));
    else if (taken !== undefined) fail(invalid(name, 'must come before the file'));
    else if (fields.has(name)) fail(invalid(name, 'is given twice'));
    else fields.set(name, value);
  });
  parser.on('file', (name: string, body: Readable, filename: string | undefined) => {
    body.on('error', () => undefined);
    if (cancel.signal.aborted) return void body.destroy();
    // The parser never destroys the streams that it makes, and their readers would wait for ever.
    cancel.signal.addEventListener('abort', () => body.destroy(cancel.signal.reason as Error));
    body.on('limit', () => fail(new AppError('PAYLOAD_TOO_LARGE', `a file may have ${limits.maxFileBytes} bytes`)));
    const parsed = limits.fields.safeParse(Object.fromEntries(fields));
    if (name !== limits.fileField) {
      fail(invalid(name, `is not expected here: the part of the file is called "${limits.fileField}"`));
    } else if (parsed.success) {
      taken = take({
        filename: filename ?? '',
        fields: parsed.data,
        body,
        signal: cancel.signal,
        received: whole.promise,
      });
      taken.catch(fail);
    } else {
      const errors = parsed.error.issues.map(({ path, message }) => ({ path: ['body', ...path].join('.'), message }));
      fail(new AppError('VALIDATION_FAILED', undefined, { errors }));
    }
  });
  parser.on('filesLimit', () => fail(invalid(limits.fileField, 'must be one file only')));
  parser.on('partsLimit', () => fail(new AppError('VALIDATION_FAILED', 'the request has too many parts')));
  parser.on('fieldsLimit', () => fail(new AppError('VALIDATION_FAILED', 'the request has too many text parts')));
  parser.on('error', (cause: Error) => fail(notWhole(cause)));
  parser.on('finish', () => whole.resolve());
  req.on('close', () => {
    if (!req.complete) fail(notWhole(new Error('the client went away')));
  });
  if (req.destroyed && !req.complete) fail(notWhole(new Error('the client went away')));
  else req.pipe(parser);

  const failure = await whole.promise.then(
    () => undefined,
    (error: Error) => error,
  );
  if (taken === undefined) throw failure ?? invalid(limits.fileField, 'is missing');
  try {
    return await taken;
  } catch (error) {
    throw failure ?? error;
  }
};

const openParser = (
  req: Request,
  { fileField, maxFileBytes }: { readonly fileField: string; readonly maxFileBytes: number },
): InstanceType<typeof Busboy> => {
  if (req.is('multipart/form-data') === false) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'the body must be multipart/form-data');
  }
  // The parser takes an empty boundary, and then finds parts everywhere.
  if (/;\s*boundary=(?:""|\s*(?:;|$))/i.test(req.headers['content-type'] ?? ''))
    throw new AppError('MALFORMED_REQUEST', 'the multipart body names no boundary');
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      highWaterMark: 256 * 1024,
      fileHwm: 256 * 1024,
      // Clients may leave the filename out, as `curl -F file=<photo.jpg` does.
      isPartAFile: (name, type, filename) =>
        name === fileField || filename !== undefined || type === 'application/octet-stream',
      limits: { files: 1, fields: 8, parts: 10, fieldSize: 32 * 1024, headerPairs: 20, fileSize: maxFileBytes },
    });
  } catch (error) {
    throw new AppError('MALFORMED_REQUEST', 'the multipart body names no boundary', { cause: error });
  }
};

const invalid = (part: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', undefined, { errors: [{ path: `body.${part}`, message }] });

const notWhole = (cause: Error): AppError =>
  new AppError('MALFORMED_REQUEST', 'the multipart body is not whole', { cause });
