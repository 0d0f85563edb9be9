const picture = {
  width: 640,
  height: 480,
  hasAlpha: false,
  isAnimated: false,
  preview: { bytes: Buffer.from('preview'), width: 640, height: 480, extension: 'jpg' },
  thumbnail: { bytes: Buffer.from('thumbnail'), width: 320, height: 240 },
  placeholder: 'YWJj',
  warnings: [],
};

/** A valid response. */
export const plausibleResponse = { kind: 'photo', value: { ...picture, format: 'jpeg' } };

const withThumbnail = (thumbnail: object) => ({
  kind: 'photo',
  value: { ...plausibleResponse.value, thumbnail: { ...picture.thumbnail, ...thumbnail } },
});
const failure = { kind: 'failure', code: 'CORRUPT', text: '', detail: '' };

/** Invalid responses of a compromised decoder, by description. */
export const maliciousResponses: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  text: 'x',
  'an empty object': {},
  'an unknown kind': { ...plausibleResponse, kind: 'secret' },
  'pixels of another size': { kind: 'pixels', value: [{ data: Buffer.alloc(11), width: 2, height: 2 }] },
  'pixels as text': { kind: 'pixels', value: [{ data: 'rgb', width: 1, height: 1 }] },
  'a crop that is too large': { kind: 'cutOuts', value: [{ bytes: Buffer.from('part'), width: 241, height: 240 }] },
  'a crop without bytes': { kind: 'cutOuts', value: [{ bytes: Buffer.alloc(0), width: 240, height: 240 }] },
  'a photo without fields': { kind: 'photo', value: {} },
  'a size that is not a number': { ...plausibleResponse, value: { ...plausibleResponse.value, width: 'wide' } },
  'an infinite size': { ...plausibleResponse, value: { ...plausibleResponse.value, width: Infinity } },
  'a fractional size': { ...plausibleResponse, value: { ...plausibleResponse.value, height: 0.5 } },
  'a thumbnail that is too large': withThumbnail({ width: 321 }),
  'a thumbnail without bytes': withThumbnail({ bytes: Buffer.alloc(0) }),
  'a thumbnail as text': withThumbnail({ bytes: 'thumbnail' }),
  'a thumbnail with too many bytes': withThumbnail({ bytes: Buffer.alloc(2 * 1024 * 1024) }),
  'a placeholder with markup': {
    ...plausibleResponse,
    value: { ...plausibleResponse.value, placeholder: '"><script>' },
  },
  'a placeholder that is too long': {
    ...plausibleResponse,
    value: { ...plausibleResponse.value, placeholder: 'a'.repeat(1_000) },
  },
  'an unrequested field': { ...plausibleResponse, value: { ...plausibleResponse.value, user_id: 'another' } },
  'an unknown warning': { ...plausibleResponse, value: { ...plausibleResponse.value, warnings: ['ALL_IS_LOST'] } },
  'an unknown format': { ...plausibleResponse, value: { ...plausibleResponse.value, format: 'raw.exe' } },
  'an unknown failure code': { ...failure, code: 'NO_SPACE' },
  'a text that is too long': { ...failure, text: 'x'.repeat(1_000) },
  'a detail that is too long': { ...failure, detail: 'x'.repeat(10_000) },
};

/** Responses of the malicious decoder child, by the first word of its input file. */
export const responsesByFirstWord: Readonly<Record<string, object>> = {
  plausible: plausibleResponse,
  huge: withThumbnail({ width: 100_000 }),
  film: { kind: 'video', value: { ...picture, isPlayable: true, frameRate: 25, durationSeconds: 1 } },
  ready: { kind: 'ready' },
};
