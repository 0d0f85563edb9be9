import type { HeaderLine } from './httpBytes.ts';
import { encodeRequest } from './httpBytes.ts';
import { mutateBytes } from '@hearth/testkit/media/mutateBytes.ts';
import type { Message } from './exchange.ts';
import { hostileTexts } from './hostileValues.ts';
import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import type { Fixtures } from './fixtures.ts';

/** An upload of a photo with faults in its bytes, in the multipart body around it, or in the headers before that. */
export const makeUpload = (random: Random, { photos, uploader }: Fixtures): Message => {
  const photo = random.pick(photos);
  const content = random.chance(0.8) ? mutateBytes(random, photo, photos) : photo;
  const isFramingMutated = random.chance(0.25);
  const boundary = random.chance(0.9) ? 'a-boundary' : random.pick(['', '-', '--', 'x'.repeat(70), '"quoted"', 'a b']);
  const body = makeBody(random, boundary, content, isFramingMutated);
  const { framing, isWhole } = makeFraming(random, body, isFramingMutated);
  const headers: HeaderLine[] = [
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ['Authorization', `Bearer ${uploader.token}`],
    ['Content-Type', random.chance(0.95) ? `multipart/form-data; boundary=${boundary}` : random.pick(otherTypes)],
    ...(random.chance(0.05) ? [['Expect', '100-continue'] as const] : []),
    ...framing,
  ];
  const bytes = encodeRequest({ method: 'POST', target: '/v1/mediaItems', headers, body });
  const vanishAfter = random.chance(0.03) ? random.below(bytes.length) : undefined;
  return { bytes, isWhole, ...(vanishAfter !== undefined && { vanishAfter }) };
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

const makeBody = (random: Random, boundary: string, content: Buffer, isMutated: boolean): Buffer => {
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
  // The faults are in the text around the photo, which is where the framing is.
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

/** How the length is said: right, in chunks, or wrong. */
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
