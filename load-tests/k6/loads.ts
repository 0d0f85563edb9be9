/** The k6 scripts by the NAME in `npm run load -- NAME`. */
export const loads = {
  smoke: 'whether everything works at all',
  browse: 'people look at the timeline, thumbnails and photos, page on and search',
  upload: 'a phone hands over its photos, batch after batch',
  search: 'people search by words and meaning while a phone hands over its photos',
  spike: 'many photos at once, so that workers appear and vanish',
  share: 'visitors open the link to a shared album',
} as const;

export type LoadName = keyof typeof loads;

/** @throws with the list of valid names */
export const parseLoadName = (name: string | undefined): LoadName => {
  if (name !== undefined && Object.hasOwn(loads, name)) return name as LoadName;
  const known = Object.entries(loads).map(([each, what]) => `  ${each.padEnd(8)}${what}`);
  throw new Error(`expected the name of a load instead of ${name ?? 'nothing'}:\n${known.join('\n')}`);
};
