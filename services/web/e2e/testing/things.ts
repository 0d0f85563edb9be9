import { makeVariant, type VariantName } from '@hearth/testkit/pictures/pictureVariants.ts';
import { readFile } from 'node:fs/promises';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { mediaPath } from '@hearth/testkit/models/testModels.ts';
import type { TestContext } from './startTestContext.ts';
import type { TestUser, PickedFile } from './testUser.ts';
import { timeoutMs } from './browserSession.ts';

/** Reads a photo of one object from the test media. `name`: file name without extension. */
export const readPicture = async (name: string): Promise<PickedFile> => ({
  name: `${name}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await readFile(mediaPath(`things/${name}.jpg`)),
});

/** Resolves when all components of the user's items have finished. */
export const waitUntilProcessed = ({ db }: TestContext, { id }: TestUser): Promise<void> =>
  waitUntil(
    'all items are processed',
    async () => {
      const rows = await db
        .selectFrom('component_runs')
        .select('media_item_id')
        .where('user_id', '=', id)
        .where('state', 'in', ['PENDING', 'RUNNING'])
        .limit(1)
        .execute();
      return rows.length === 0;
    },
    { timeoutMs },
  );

/** Creates a variant of a photo, named after the variant. */
export const makeCopy = async ({ buffer, mimeType }: PickedFile, name: VariantName): Promise<PickedFile> => ({
  mimeType,
  name: `${name}.jpg`,
  buffer: await makeVariant(buffer, name),
});
