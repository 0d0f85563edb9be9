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
  'a kind of its own': { ...plausibleResponse, kind: 'secret' },
  'pixels of another size': { kind: 'pixels', value: [{ data: Buffer.alloc(11), width: 2, height: 2 }] },
  'pixels that are no bytes': { kind: 'pixels', value: [{ data: 'rgb', width: 1, height: 1 }] },
  'a part larger than any': { kind: 'cutOuts', value: [{ bytes: Buffer.from('part'), width: 241, height: 240 }] },
  'a part without bytes': { kind: 'cutOuts', value: [{ bytes: Buffer.alloc(0), width: 240, height: 240 }] },
  'a picture without pictures': { kind: 'photo', value: {} },
  'a size that is no number': { ...plausibleResponse, value: { ...plausibleResponse.value, width: 'wide' } },
  'a size that is not finite': { ...plausibleResponse, value: { ...plausibleResponse.value, width: Infinity } },
  'half a pixel': { ...plausibleResponse, value: { ...plausibleResponse.value, height: 0.5 } },
  'a thumbnail larger than any': withThumbnail({ width: 321 }),
  'a thumbnail without bytes': withThumbnail({ bytes: Buffer.alloc(0) }),
  'a thumbnail of text': withThumbnail({ bytes: 'thumbnail' }),
  'a thumbnail of too many bytes': withThumbnail({ bytes: Buffer.alloc(2 * 1024 * 1024) }),
  'a placeholder that is none': {
    ...plausibleResponse,
    value: { ...plausibleResponse.value, placeholder: '"><script>' },
  },
  'an endless placeholder': {
    ...plausibleResponse,
    value: { ...plausibleResponse.value, placeholder: 'a'.repeat(1_000) },
  },
  'more than was asked': { ...plausibleResponse, value: { ...plausibleResponse.value, user_id: 'another' } },
  'a warning of its own': { ...plausibleResponse, value: { ...plausibleResponse.value, warnings: ['ALL_IS_LOST'] } },
  'a format of its own': { ...plausibleResponse, value: { ...plausibleResponse.value, format: 'raw.exe' } },
  'a failure of its own': { ...failure, code: 'NO_SPACE' },
  'an endless sentence': { ...failure, text: 'x'.repeat(1_000) },
  'endless details': { ...failure, detail: 'x'.repeat(10_000) },
};

/** Responses of the malicious decoder child, by the first word of its input file. */
export const responsesByFirstWord: Readonly<Record<string, object>> = {
  plausible: plausibleResponse,
  huge: withThumbnail({ width: 100_000 }),
  film: { kind: 'video', value: { ...picture, isPlayable: true, frameRate: 25, durationSeconds: 1 } },
  ready: { kind: 'ready' },
};
