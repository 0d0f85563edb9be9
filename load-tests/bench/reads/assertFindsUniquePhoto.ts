import assert from 'node:assert/strict';
import { findOnePhoto, uniquePhotoWords } from '@hearth/testkit/libraries/fillSigns.ts';
import { requestOnce } from './requestOnce.ts';
import type { Reader } from './readPaths.ts';

/**
 * Searches a library for the single photo that matches a person, a place, text on a sign, a thing and a year. @throws
 * if another photo comes first, or if the library has no decoys that miss one of the five
 */
export const assertFindsUniquePhoto = async (
  databaseUrl: string,
  userId: string,
  { library, url, token }: Reader & { readonly library: string },
): Promise<void> => {
  const { id, decoys } = await findOnePhoto(databaseUrl, userId);
  assert.ok(id !== undefined && decoys.size === 5, `${library} has no unique photo, or lacks decoys`);
  const response = await requestOnce(new URL(`/v1/search?q=${encodeURIComponent(uniquePhotoWords)}`, url), token);
  const [first] = JSON.parse(response.text) as { readonly id: string }[];
  assert.equal(first?.id, id, `the first result in ${library} is the wrong photo`);
  const count = [...decoys.values()].reduce((sum, each) => sum + each, 0);
  console.log(`found the one photo of ${library} ahead of ${count} that match all terms but one`);
};
