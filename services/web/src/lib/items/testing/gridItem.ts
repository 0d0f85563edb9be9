import type { GridItem } from '../gridItem.ts';

export const gridItem = (fields: Partial<GridItem> = {}): GridItem => ({
  id: '1',
  aspectRatio: 1,
  placeholder: undefined,
  kind: 'photo',
  day: '2022-04-03',
  durationSeconds: undefined,
  thumbnailUrl: undefined,
  favourite: false,
  status: 'READY',
  ...fields,
});
