import { makeVariant, type VariantName } from '@hearth/testkit/pictures/pictureVariants.ts';
import { readFile } from 'node:fs/promises';
import { until } from '@hearth/testkit/run/until.ts';
import { mediaPath } from '@hearth/testkit/models/testModels.ts';
import type { Home } from './openHome.ts';
import type { Person, PickedFile } from './person.ts';
import { patienceMs } from './visit.ts';

/** A photo of the test media that shows one thing, by the name of its file without the ending. */
export const readThing = async (name: string): Promise<PickedFile> => ({
  name: `${name}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await readFile(mediaPath(`things/${name}.jpg`)),
});

/** Resolves when nothing is left to be found on the photos of somebody. */
export const untilLookedAt = ({ db }: Home, { id }: Person): Promise<void> =>
  until(
    'all photos are looked at',
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
    { patienceMs },
  );

/** A changed copy of a photo, called by the change. */
export const copyOf = async ({ buffer, mimeType }: PickedFile, name: VariantName): Promise<PickedFile> => ({
  mimeType,
  name: `${name}.jpg`,
  buffer: await makeVariant(buffer, name),
});
