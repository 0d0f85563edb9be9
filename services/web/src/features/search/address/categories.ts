/** The kinds of photos and videos that can be searched for, as the API names them. */
export const categories = ['SCREENSHOT', 'PANORAMA', 'LIVE', 'MOTION', 'SLOW', 'TIMELAPSE'] as const;
export type Category = (typeof categories)[number];

/** Whether a value is one of a list of names. */
export const isListed = <Name extends string>(names: readonly Name[], value: unknown): value is Name =>
  names.some((name) => name === value);
