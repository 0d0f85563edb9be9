import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import type { Busboy } from '@fastify/busboy';
import type { RequestHandler } from 'express';
import { AppError } from '@hearth/core/log/errors.ts';

/*
 * [Note: Broken text] Decoders put U+FFFD where bytes are no UTF-8, and what was sent is lost without a word. So bytes are looked at before
 * they are decoded, and a request with broken ones is refused. U+FFFD itself is a character like any other: file names do hold it.
 */

/** Half of a surrogate pair, which every schema of the contract refuses. */
const brokenText = '\ud800';

/** Parses a query as Express's `simple` parser does, but a value that is no UTF-8 becomes text that every schema refuses. */
export const parseQuery = (query: string): Record<string, string | string[] | undefined> =>
  parse(query, '&', '=', {
    decodeURIComponent: (value) => {
      const bytes = decodePercents(value);
      return isUtf8(bytes) ? bytes.toString() : brokenText;
    },
  });

/** Refuses JSON that is no UTF-8; for `verify` of Express's parser. @throws AppError */
export const requireUtf8Json: JsonVerifier = (_req, _res, bytes, charset) => {
  if (charset !== 'utf-8') throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'the body must be in UTF-8');
  if (!isUtf8(bytes)) throw notUtf8('body');
};

type JsonVerifier = (
  req: Parameters<RequestHandler>[0],
  res: Parameters<RequestHandler>[1],
  bytes: Buffer,
  charset: string,
) => void;

/** Calls `refuse` for names and texts of a multipart body that are not UTF-8, before `busboy` emits them. The part `fileField` is no text. */
export const requireUtf8Parts = (
  busboy: InstanceType<typeof Busboy>,
  fileField: string,
  refuse: (error: AppError) => void,
): void => {
  partsOf(busboy).prependListener('part', (part) => {
    part.prependListener('header', (header) => {
      const [disposition = ''] = header['content-disposition'] ?? [];
      if (!isUtf8(nameBytes(disposition))) refuse(notUtf8('body'));
      if (/; *filename\*?=/i.test(disposition) || header['content-type']?.[0] === 'application/octet-stream') return;
      const name = /; *name="?([\w-]*)/i.exec(disposition)?.[1] ?? '';
      if (name === fileField) return;
      const charset = /; *charset="?([^";]+)/i.exec(header['content-type']?.[0] ?? '')?.[1] ?? 'utf-8';
      if (!/^utf-?8$/i.test(charset)) refuse(new AppError('UNSUPPORTED_MEDIA_TYPE', 'text parts must be in UTF-8'));
      const chunks: Buffer[] = [];
      part.on('data', (chunk) => chunks.push(chunk));
      part.on('end', () => {
        if (!isUtf8(Buffer.concat(chunks))) refuse(notUtf8(`body.${name}`));
      });
    });
  });
};

/** Busboy's inner parser, the only one that shows the raw headers, as Latin-1. */
const partsOf = (busboy: InstanceType<typeof Busboy>): PartParser =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in its types; `strictText.test.ts` tells of a change
  (busboy as unknown as Readonly<Record<'_parser', { readonly parser: PartParser }>>)['_parser'].parser;

interface PartParser {
  prependListener(event: 'part', listener: (part: Part) => void): void;
}

interface Part {
  prependListener(event: 'header', listener: (header: Readonly<Record<string, string[]>>) => void): void;
  on(event: 'data', listener: (chunk: Buffer) => void): void;
  on(event: 'end', listener: () => void): void;
}

/** The bytes of the names in a header; a name of RFC 8187, `filename*=UTF-8''%e2%82%ac`, is percent-decoded. */
const nameBytes = (disposition: string): Buffer =>
  /\*=utf-?8'/i.test(disposition) ? decodePercents(disposition) : Buffer.from(disposition, 'latin1');

/** The bytes of percent-encoded text. Every other character is one byte, and so is a percent sign that begins no code. */
const decodePercents = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const notUtf8 = (path: string): AppError =>
  new AppError('MALFORMED_REQUEST', undefined, { errors: [{ path, message: 'is no UTF-8' }] });
