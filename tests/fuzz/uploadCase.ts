import { createHash } from 'node:crypto';
import { mutateBytes } from '@hearth/testkit/media/mutateBytes.ts';
import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import { hostileTexts } from './hostileTexts.ts';
import type { RawRequest } from './sendBytes.ts';

/** An upload with the contract operation that it calls. */
export interface UploadCase extends RawRequest {
  readonly operation: 'uploadMediaItem' | 'createUpload';
}

/** The sender and the content of uploads. */
export interface UploadSource {
  readonly token: string;
  /** Whole photos of several kinds. */
  readonly photos: readonly Buffer[];
}

type HeaderLine = readonly [name: string, value: string];

/** The parts of a request that differ between a form upload and the tus protocol. */
interface UploadEnvelope {
  readonly operation: UploadCase['operation'];
  readonly path: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
}

/** Makes an upload of a photo with faults in its bytes, in the surrounding body, in its headers, or in its length. */
export const makeUpload = (random: Random, { photos, token }: UploadSource): UploadCase => {
  const photo = random.pick(photos);
  const content = random.chance(0.8) ? mutateBytes(random, photo, photos) : photo;
  const isFramingMutated = random.chance(0.25);
  const { operation, path, headers, body } = random.chance(0.75)
    ? makeForm(random, content, isFramingMutated)
    : makeTus(random, content);
  const { framing, isWhole } = makeFraming(random, body, isFramingMutated);
  const lines: HeaderLine[] = [
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ['Authorization', `Bearer ${token}`],
    ...headers,
    ...(random.chance(0.05) ? [['Expect', '100-continue'] as const] : []),
    ...framing,
  ];
  const bytes = Buffer.concat([
    // Headers are sent unencoded, one byte per character.
    Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`, 'latin1'),
    body,
  ]);
  const disconnectAfter = random.chance(0.03) ? random.below(bytes.length) : undefined;
  return { operation, bytes, isWhole, ...(disconnectAfter !== undefined && { disconnectAfter }) };
};

/**
 * Makes a tus upload with all data in the creation request
 * (https://tus.io/protocols/resumable-upload#creation-with-upload).
 */
const makeTus = (random: Random, content: Buffer): UploadEnvelope => {
  const sha1 = createHash('sha1').update(content).digest('base64');
  const usually = (value: string): string => (random.chance(0.95) ? value : random.pick(hostileTexts));
  const optional = (chance: number, name: string, values: readonly string[]): HeaderLine[] =>
    random.chance(chance) ? [[name, usually(random.pick(values))]] : [];
  return {
    operation: 'createUpload',
    path: '/v1/uploads',
    headers: [
      ['Tus-Resumable', usually('1.0.0')],
      ['Upload-Length', usually(String(content.length))],
      ['Content-Type', usually('application/offset+octet-stream')],
      ...optional(0.5, 'Upload-Metadata', [
        'filename YS5qcGc=',
        'creationTime MjAyMi0wNC0wM1QxMjo1NjoxMVo=,description YQ==',
        'a,b',
        'filename',
      ]),
      ...optional(0.2, 'Upload-Checksum', [`sha1 ${sha1}`, 'sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=', 'md5 x', 'sha1']),
      ...optional(0.05, 'Upload-Defer-Length', ['1']),
      ...optional(0.05, 'Upload-Concat', ['partial', 'final;/v1/uploads/a']),
    ],
    body: content,
  };
};

const makeForm = (random: Random, content: Buffer, isFramingMutated: boolean): UploadEnvelope => {
  const boundary = random.chance(0.9) ? 'a-boundary' : random.pick(['', '-', '--', 'x'.repeat(70), '"quoted"', 'a b']);
  const type = random.chance(0.95) ? `multipart/form-data; boundary=${boundary}` : random.pick(otherTypes);
  return {
    operation: 'uploadMediaItem',
    path: '/v1/mediaItems',
    headers: [['Content-Type', type]],
    body: makeFormBody(random, boundary, content, isFramingMutated),
  };
};

const otherTypes = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=another',
  'multipart/mixed; boundary=a-boundary',
  'MULTIPART/FORM-DATA; BOUNDARY=a-boundary',
  'image/jpeg',
  '',
] as const;

const makeFormBody = (random: Random, boundary: string, content: Buffer, isMutated: boolean): Buffer => {
  const parts: Buffer[] = [];
  if (random.chance(0.2)) parts.push(makeField(random, boundary));
  const disposition = `form-data; name="${random.chance(0.95) ? 'file' : random.pick(hostileTexts)}"; ${makeFilename(random)}`;
  parts.push(
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n${makePartHeaders(random)}\r\n`),
    content,
    Buffer.from('\r\n'),
  );
  if (random.chance(0.05)) parts.push(makeField(random, boundary));
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  const body = Buffer.concat(parts);
  if (!isMutated) return body;
  // The framing is the text around the photo.
  const end = body.length - boundary.length - 12;
  const [head, closing] = [body.subarray(0, 200), body.subarray(end)];
  return random.chance(0.5)
    ? Buffer.concat([mutateBytes(random, head, [closing]), body.subarray(200)])
    : Buffer.concat([body.subarray(0, end), mutateBytes(random, closing, [head])]);
};

const makeField = (random: Random, boundary: string): Buffer => {
  const name = random.pick(['creationTime', 'description', 'description', 'file', 'rating', '']);
  const value = random.pick(['2022-04-03T12:56:11+05:30', 'Am Meer', ...hostileTexts]);
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
};

const makeFilename = (random: Random): string => {
  if (random.chance(0.6)) return 'filename="IMG_4025.jpg"';
  const name = random.pick(hostileTexts);
  return random.pick([
    `filename="${name}"`,
    `filename*=UTF-8''${name}`,
    `filename=${name}`,
    `filename*=utf-16le'x'${name}`,
  ]);
};

const makePartHeaders = (random: Random): string => {
  if (random.chance(0.7)) return 'Content-Type: image/jpeg\r\n';
  return random.pick([
    '',
    'Content-Type: application/octet-stream\r\n',
    'Content-Type:\r\n',
    'X: y\r\n'.repeat(50),
    'Content-Transfer-Encoding: base64\r\n',
    'no header at all\r\n',
  ]);
};

/** Makes the length headers: correct, chunked, or wrong. */
const makeFraming = (random: Random, body: Buffer, isMutated: boolean): { framing: HeaderLine[]; isWhole: boolean } => {
  if (!isMutated || random.chance(0.7)) return { framing: [['Content-Length', String(body.length)]], isWhole: true };
  const framing = random.pick<HeaderLine[]>([
    [['Content-Length', String(body.length + 1 + random.below(1_000))]],
    [['Content-Length', String(random.below(body.length))]],
    [['Transfer-Encoding', 'chunked']],
    [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '5'],
    ],
    [['Content-Length', random.pick(hostileTexts)]],
    [],
  ]);
  return { framing, isWhole: false };
};
