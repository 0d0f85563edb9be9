import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import type { LocalFile } from '@hearth/core/objects/objects.ts';
import type { ItemContext } from './component.ts';
import type { Deps } from './deps.ts';

/** Opens what the components of one job share; disposing of it removes the files made for them. */
export const openItemContext = (deps: Deps, item: MediaItemRow): ItemContext & AsyncDisposable => {
  let file: Promise<LocalFile> | undefined;
  return {
    item,
    original: async () => {
      file ??= deps.objects.file(originalKey(item.user_id, item.id), deps.scratchDirectory);
      return (await file).path;
    },
    [Symbol.asyncDispose]: async () => {
      const opened = await file?.catch(() => undefined);
      await opened?.[Symbol.asyncDispose]();
    },
  };
};
