import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Request } from 'express';
import type { z } from 'zod';
import { AppError } from '@hearth/core/log/errors.ts';
import { requireUtf8Parts } from './strictText.ts';

/** The file part of a multipart request while it arrives. */
export interface IncomingFile<Fields> {
  /** Client's filename without folders. May be empty. */
  readonly filename: string;
  /** Text parts. All of them precede the file. */
  readonly fields: Fields;
  readonly body: Readable;
  /** Aborted when the client disconnects or the request turns out to be invalid. */
  readonly signal: AbortSignal;
  /** Resolves when the whole request has arrived and is valid. */
  readonly received: Promise<void>;
}

export interface MultipartLimits<Schema extends z.ZodType> {
  readonly fileField: string;
  readonly fields: Schema;
  readonly maxFileBytes: number;
  /** Abort it to reject the request while it arrives. Its reason is the error to respond with. */
  readonly ending?: AbortSignal;
}

/**
 * Reads a multipart request with one file and streams the file to `take` while it arrives. Returns the result of
 * `take`. Memory holds only the bytes in transit.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, MALFORMED_REQUEST, VALIDATION_FAILED or PAYLOAD_TOO_LARGE, or the reason of
 *   `ending`
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

  // Not `pipeline`: it would destroy the request and its socket, so the client could not read the error.
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
    else if (taken !== undefined) fail(createInvalidError(name, 'must come before the file'));
    else if (fields.has(name)) fail(createInvalidError(name, 'appears twice'));
    else fields.set(name, value);
  });
  parser.on('file', (name: string, body: Readable, filename: string | undefined) => {
    body.on('error', () => undefined);
    if (cancel.signal.aborted) return void body.destroy();
    // The parser never destroys its streams, so their readers would wait forever.
    cancel.signal.addEventListener('abort', () => body.destroy(cancel.signal.reason as Error));
    body.on('limit', () =>
      fail(new AppError('PAYLOAD_TOO_LARGE', `the maximum file size is ${limits.maxFileBytes} bytes`)),
    );
    const parsed = limits.fields.safeParse(Object.fromEntries(fields));
    if (name !== limits.fileField) {
      fail(createInvalidError(name, `is not expected; send the file as "${limits.fileField}"`));
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
  parser.on('filesLimit', () => fail(createInvalidError(limits.fileField, 'must be a single file')));
  parser.on('partsLimit', () => fail(new AppError('VALIDATION_FAILED', 'the request has too many parts')));
  parser.on('fieldsLimit', () => fail(new AppError('VALIDATION_FAILED', 'the request has too many text parts')));
  parser.on('error', (cause: Error) => fail(createIncompleteError(cause)));
  parser.on('finish', () => whole.resolve());
  req.on('close', () => {
    if (!req.complete) fail(createIncompleteError(new Error('the client closed the connection')));
  });
  if (req.destroyed && !req.complete) fail(createIncompleteError(new Error('the client closed the connection')));
  else req.pipe(parser);

  const failure = await whole.promise.then(
    () => undefined,
    (error: Error) => error,
  );
  if (taken === undefined) throw failure ?? createInvalidError(limits.fileField, 'is missing');
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
  // The parser accepts an empty boundary and then finds parts everywhere.
  if (/;\s*boundary=(?:""|\s*(?:;|$))/i.test(req.headers['content-type'] ?? ''))
    throw new AppError('MALFORMED_REQUEST', 'missing boundary in Content-Type');
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      highWaterMark: 256 * 1024,
      fileHwm: 256 * 1024,
      // Clients may omit the filename, as `curl -F file=<photo.jpg` does.
      isPartAFile: (name, type, filename) =>
        name === fileField || filename !== undefined || type === 'application/octet-stream',
      limits: { files: 1, fields: 8, parts: 10, fieldSize: 32 * 1024, headerPairs: 20, fileSize: maxFileBytes },
    });
  } catch (error) {
    throw new AppError('MALFORMED_REQUEST', 'missing boundary in Content-Type', { cause: error });
  }
};

const createInvalidError = (part: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', undefined, { errors: [{ path: `body.${part}`, message }] });

const createIncompleteError = (cause: Error): AppError =>
  new AppError('MALFORMED_REQUEST', 'the multipart body is incomplete', { cause });
