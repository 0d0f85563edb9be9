import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import type { LocalFile } from '@hearth/core/objects/objects.ts';
import type { ItemContext } from './component.ts';
import type { Deps } from './deps.ts';
import { readWhole } from './media/readTrouble.ts';

/** Opens what the components of one job share; disposing of it removes the files made for them. */
export const openItemContext = (deps: Deps, item: MediaItemRow): ItemContext & AsyncDisposable => {
  let file: Promise<LocalFile> | undefined;
  const drop = async (): Promise<void> => {
    const opened = await file?.catch(() => undefined);
    file = undefined;
    await opened?.[Symbol.asyncDispose]();
  };
  return {
    item,
    original: async () => {
      file ??= deps.objects.file(originalKey(item.user_id, item.id), deps.scratchDirectory);
      return (await file).path;
    },
    isOriginalWhole: async (by) => {
      const opened = await file?.catch(() => undefined);
      if (opened === undefined) return true;
      const isWhole = await (by === 'length' ? hasLength : hasBytes)(opened.path, item).catch(() => false);
      if (!isWhole) await drop();
      return isWhole;
    },
    [Symbol.asyncDispose]: drop,
  };
};

const hasLength = async (path: string, { size_bytes }: MediaItemRow): Promise<boolean> =>
  (await stat(path)).size === size_bytes;

const hasBytes = async (path: string, { checksum }: MediaItemRow): Promise<boolean> => {
  const hash = createHash('sha256');
  await readWhole(path, (bytes) => hash.update(bytes));
  return hash.digest().equals(checksum);
};
