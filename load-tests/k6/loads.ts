/** The k6 scripts by the NAME in `npm run load -- NAME`. */
export const loads = {
  smoke: 'one run of every scenario',
  browse: 'users browse the timeline, open photos and search',
  upload: 'a phone uploads its photos in batches',
  search: 'text and semantic searches while a phone uploads photos',
  spike: 'a burst of uploads that scales workers up and down',
  share: 'visitors open a shared album',
} as const;

export type LoadName = keyof typeof loads;

/** @throws with the list of valid names */
export const parseLoadName = (name: string | undefined): LoadName => {
  if (name !== undefined && Object.hasOwn(loads, name)) return name as LoadName;
  const validNames = Object.entries(loads).map(([each, what]) => `  ${each.padEnd(8)}${what}`);
  throw new Error(`unknown load ${name ?? '(none)'}; valid names:\n${validNames.join('\n')}`);
};
