import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import type { Busboy } from '@fastify/busboy';
import type { RequestHandler } from 'express';
import { AppError } from '@hearth/core/log/errors.ts';

/*
 * [Note: Broken text] Requests with text that is not valid UTF-8 are rejected.
 *
 * Decoders silently replace invalid bytes with U+FFFD, which loses data. So bytes are validated before decoding. U+FFFD
 * itself is accepted: it occurs in filenames.
 */

/** Half of a surrogate pair, which every schema of the contract rejects. */
const brokenText = '\ud800';

/**
 * Parses a query like Express's `simple` parser, but turns values that are not UTF-8 into text that every schema
 * rejects.
 */
export const parseQuery = (query: string): Record<string, string | string[] | undefined> =>
  parse(query, '&', '=', {
    decodeURIComponent: (value) => {
      const bytes = decodePercents(value);
      return isUtf8(bytes) ? bytes.toString() : brokenText;
    },
  });

/**
 * Rejects JSON that is not UTF-8. Passed to Express's parser as `verify`.
 * @throws AppError
 */
export const requireUtf8Json: JsonVerifier = (_req, _res, bytes, charset) => {
  if (charset !== 'utf-8') throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'the body must be in UTF-8');
  if (!isUtf8(bytes)) throw createNotUtf8Error('body');
};

type JsonVerifier = (
  req: Parameters<RequestHandler>[0],
  res: Parameters<RequestHandler>[1],
  bytes: Buffer,
  charset: string,
) => void;

/**
 * Calls `reject` for names and texts of a multipart body that are not UTF-8, before `busboy` emits them. Skips the
 * content of the part `fileField`.
 */
export const requireUtf8Parts = (
  busboy: InstanceType<typeof Busboy>,
  fileField: string,
  reject: (error: AppError) => void,
): void => {
  getPartParser(busboy).prependListener('part', (part) => {
    part.prependListener('header', (header) => {
      const [disposition = ''] = header['content-disposition'] ?? [];
      if (!isUtf8(nameBytes(disposition))) reject(createNotUtf8Error('body'));
      if (/; *filename\*?=/i.test(disposition) || header['content-type']?.[0] === 'application/octet-stream') return;
      const name = /; *name="?([\w-]*)/i.exec(disposition)?.[1] ?? '';
      if (name === fileField) return;
      const charset = /; *charset="?([^";]+)/i.exec(header['content-type']?.[0] ?? '')?.[1] ?? 'utf-8';
      if (!/^utf-?8$/i.test(charset)) reject(new AppError('UNSUPPORTED_MEDIA_TYPE', 'text parts must be in UTF-8'));
      const chunks: Buffer[] = [];
      part.on('data', (chunk) => chunks.push(chunk));
      part.on('end', () => {
        if (!isUtf8(Buffer.concat(chunks))) reject(createNotUtf8Error(`body.${name}`));
      });
    });
  });
};

/** Busboy's inner parser, the only one that exposes raw headers, as Latin-1. */
const getPartParser = (busboy: InstanceType<typeof Busboy>): PartParser =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in its types; `strictText.test.ts` detects a change
  (busboy as unknown as Readonly<Record<'_parser', { readonly parser: PartParser }>>)['_parser'].parser;

interface PartParser {
  prependListener(event: 'part', listener: (part: Part) => void): void;
}

interface Part {
  prependListener(event: 'header', listener: (header: Readonly<Record<string, string[]>>) => void): void;
  on(event: 'data', listener: (chunk: Buffer) => void): void;
  on(event: 'end', listener: () => void): void;
}

/** Returns the bytes of a header's names. Decodes RFC 8187 names such as `filename*=UTF-8''%e2%82%ac`. */
const nameBytes = (disposition: string): Buffer =>
  /\*=utf-?8'/i.test(disposition) ? decodePercents(disposition) : Buffer.from(disposition, 'latin1');

/** Decodes percent-encoded bytes. Other characters, including stray percent signs, become one byte each. */
const decodePercents = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const createNotUtf8Error = (path: string): AppError =>
  new AppError('MALFORMED_REQUEST', undefined, { errors: [{ path, message: 'is not UTF-8' }] });
