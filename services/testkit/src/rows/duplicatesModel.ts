import { maxHashDistance, minNearLikeness } from '@hearth/core/duplicates/nearPictures.ts';
import type { MadeLook } from '../libraries/pictureLooks.ts';

/** A photo of the model. */
export interface ModelPhoto extends MadeLook {
  readonly id: string;
  /** Whether SEARCH has looked at it. */
  isSeen: boolean;
  isHidden: boolean;
  isTrashed: boolean;
  isAside: boolean;
}

export interface ModelGroup {
  /** The first photo of it, in the order of ids. */
  readonly id: string;
  readonly photos: readonly ModelPhoto[];
  isReviewed: boolean;
}

const isNear = (one: ModelPhoto, other: ModelPhoto): boolean =>
  Math.abs(one.bits - other.bits) <= maxHashDistance &&
  Math.cos(one.angle - other.angle) >= minNearLikeness['concept-lite'];

export const isVisible = ({ isHidden, isTrashed }: ModelPhoto): boolean => !isHidden && !isTrashed;

/** The groups of all photos that were seen, by the definition alone: compared with one another from the first to the last. */
const groupsOf = (photos: readonly ModelPhoto[]): ReadonlyMap<string, readonly ModelPhoto[]> => {
  const groups = new Map<string, ModelPhoto[]>();
  const seen = photos.filter(({ isSeen }) => isSeen).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const photo of seen) {
    const centre = [...groups.values()].find(([first]) => isNear(first!, photo));
    if (centre === undefined) groups.set(photo.id, [photo]);
    else centre.push(photo);
  }
  return groups;
};

/** What is kept of a library's duplicates, worked out anew after each step, from photos that nobody removes for good. */
export class DuplicatesModel {
  readonly photos: ModelPhoto[] = [];
  groups: readonly ModelGroup[] = [];

  /** Works out the groups after SEARCH has seen something. A group to which something visible has come is not reviewed any more. */
  regroup(): void {
    const before = new Map(this.groups.map((group) => [group.id, group]));
    this.groups = [...groupsOf(this.photos)].map(([id, photos]) => {
      const earlier = before.get(id);
      const hasNew = photos.some((photo) => isVisible(photo) && !(earlier?.photos.includes(photo) ?? false));
      return { id, photos, isReviewed: earlier?.isReviewed === true && !hasNew && photos.length > 1 };
    });
  }

  /** The groups that there are for their owner, that of the latest upload first. */
  shown(isReviewed: boolean): readonly ModelGroup[] {
    return this.groups
      .filter((group) => group.isReviewed === isReviewed && sizeOf(group) + (isReviewed ? asideOf(group) : 0) >= 2)
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }
}

export const sizeOf = ({ photos }: ModelGroup): number => photos.filter(isVisible).length;

export const asideOf = ({ photos }: ModelGroup): number => photos.filter(({ isAside }) => isAside).length;
