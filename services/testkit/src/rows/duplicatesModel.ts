import { maxHashDistance, minPictureSimilarity } from '@hearth/core/duplicates/similarPictures.ts';
import type { TestPictureFeatures } from '../libraries/pictureFeatures.ts';

/** A photo of the model. */
export interface ModelPhoto extends TestPictureFeatures {
  readonly id: string;
  /** True after SEARCH has processed the photo. */
  isSeen: boolean;
  isHidden: boolean;
  isTrashed: boolean;
  isAside: boolean;
}

export interface ModelGroup {
  /** Lowest id of the group's photos. */
  readonly id: string;
  readonly photos: readonly ModelPhoto[];
  isReviewed: boolean;
}

const isSimilar = (one: ModelPhoto, other: ModelPhoto): boolean =>
  Math.abs(one.bits - other.bits) <= maxHashDistance &&
  Math.cos(one.angle - other.angle) >= minPictureSimilarity['concept-lite'];

export const isVisible = ({ isHidden, isTrashed }: ModelPhoto): boolean => !isHidden && !isTrashed;

/** Groups all processed photos by definition: compares each one with the first photo of every group, in the order of ids. */
const groupPhotos = (photos: readonly ModelPhoto[]): ReadonlyMap<string, readonly ModelPhoto[]> => {
  const groups = new Map<string, ModelPhoto[]>();
  const processed = photos.filter(({ isSeen }) => isSeen).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const photo of processed) {
    const representative = [...groups.values()].find(([first]) => isSimilar(first!, photo));
    if (representative === undefined) groups.set(photo.id, [photo]);
    else representative.push(photo);
  }
  return groups;
};

/** Model of a library's duplicates, computed from scratch after each step. Photos are never deleted permanently. */
export class DuplicatesModel {
  readonly photos: ModelPhoto[] = [];
  groups: readonly ModelGroup[] = [];

  /** Computes the groups after SEARCH has processed a photo. A group with a new visible photo is no longer reviewed. */
  regroup(): void {
    const before = new Map(this.groups.map((group) => [group.id, group]));
    this.groups = [...groupPhotos(this.photos)].map(([id, photos]) => {
      const earlier = before.get(id);
      const hasNew = photos.some((photo) => isVisible(photo) && !(earlier?.photos.includes(photo) ?? false));
      return { id, photos, isReviewed: earlier?.isReviewed === true && !hasNew && photos.length > 1 };
    });
  }

  /** Returns the groups that their owner sees, in descending order of ids. */
  shown(isReviewed: boolean): readonly ModelGroup[] {
    return this.groups
      .filter(
        (group) =>
          group.isReviewed === isReviewed && countVisible(group) + (isReviewed ? countSetAside(group) : 0) >= 2,
      )
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }
}

export const countVisible = ({ photos }: ModelGroup): number => photos.filter(isVisible).length;

export const countSetAside = ({ photos }: ModelGroup): number => photos.filter(({ isAside }) => isAside).length;
