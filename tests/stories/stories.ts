import { accountStories } from './accountStories.ts';
import { collectionStories } from './collectionStories.ts';
import { filmStories } from './filmStories.ts';
import { photoStories } from './photoStories.ts';
import { serverStories } from './serverStories.ts';
import { sharingStories } from './sharingStories.ts';
import type { Story } from './story.ts';

/**
 * What every installation does for its users, however it is run: embedded, by the chart, or otherwise. What depends on what is installed beside
 * it, such as the names of places, is left out.
 */
export const stories: readonly Story[] = [
  ...serverStories,
  ...accountStories,
  ...photoStories,
  ...collectionStories,
  ...sharingStories,
  ...filmStories,
];
