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

/** An answer that may be true. */
export const plausible = { picture: { ...picture, format: 'jpeg' } };

const withThumbnail = (thumbnail: object) => ({
  picture: { ...plausible.picture, thumbnail: { ...picture.thumbnail, ...thumbnail } },
});
const failure = { code: 'CORRUPT', text: '', detail: '' };

/** What a decoder that was taken over may answer, by what is wrong with it. */
export const lies: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  text: 'x',
  'an empty object': {},
  'a picture without pictures': { picture: {} },
  'a size that is no number': { picture: { ...plausible.picture, width: 'wide' } },
  'a size that is not finite': { picture: { ...plausible.picture, width: Infinity } },
  'half a pixel': { picture: { ...plausible.picture, height: 0.5 } },
  'a thumbnail larger than any': withThumbnail({ width: 321 }),
  'a thumbnail without bytes': withThumbnail({ bytes: Buffer.alloc(0) }),
  'a thumbnail of text': withThumbnail({ bytes: 'thumbnail' }),
  'a thumbnail of too many bytes': withThumbnail({ bytes: Buffer.alloc(2 * 1024 * 1024) }),
  'a placeholder that is none': { picture: { ...plausible.picture, placeholder: '"><script>' } },
  'an endless placeholder': { picture: { ...plausible.picture, placeholder: 'a'.repeat(1_000) } },
  'more than was asked': { picture: { ...plausible.picture, user_id: 'another' } },
  'a warning of its own': { picture: { ...plausible.picture, warnings: ['ALL_IS_LOST'] } },
  'a format of its own': { picture: { ...plausible.picture, format: 'raw.exe' } },
  'a failure of its own': { failure: { ...failure, code: 'NO_SPACE' } },
  'an endless sentence': { failure: { ...failure, text: 'x'.repeat(1_000) } },
  'endless details': { failure: { ...failure, detail: 'x'.repeat(10_000) } },
};

/** Answers that the taken-over child of the tests gives to files that begin with these words. */
export const openPictures: Readonly<Record<string, object>> = {
  plausible,
  huge: withThumbnail({ width: 100_000 }),
  film: { picture: { ...picture, isPlayable: true, frameRate: 25, durationSeconds: 1 } },
  ready: { ready: true },
};
