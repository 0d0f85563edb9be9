/** Values of the test media that METADATA does not find, `file: field`, each with the reason. */
export const metadataShortfalls: Readonly<Record<string, string>> = {
  'video/Sony ILCE-7M3 (A7M3).mts: fps':
    'The frame rate of an MPEG transport stream stands inside the H.264 pictures; exiftool does not read it.',
  'video/webm.webm: fps':
    'The file claims 1,000 frames a second, a rounding to milliseconds, which is left out; 24 is found only by counting frames.',
};
