import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { toasts } from '../overlays/toasts.ts';
import { changeLists } from '../../lib/changes/changeLists.ts';
import { downloadAll, type FindDownload } from '../../lib/changes/downloadAll.ts';
import { classifyFailure } from '../../lib/changes/classifyFailure.ts';
import { invertChange, sendItemChange, type ItemChange, type OfferedChange } from '../../lib/changes/itemChange.ts';
import { refreshAfter } from '../../lib/changes/listKeys.ts';
import { call } from '../../lib/api/client.ts';

/** Actions on media items. Each shows its outcome in a toast, with an undo button where possible. */
export interface ItemActions {
  /** Applies the change to the page at once, then at the server. Returns whether it succeeded. */
  readonly run: (change: OfferedChange, ids: readonly string[]) => Promise<boolean>;
  /**
   * Deletes trashed items permanently, so ask for confirmation first. `onProgress` receives the number deleted.
   * `signal` stops between two items.
   */
  readonly removeForGood: (
    ids: readonly string[],
    options?: { readonly onProgress?: (done: number) => void; readonly signal?: AbortSignal },
  ) => Promise<boolean>;
  readonly download: (ids: readonly string[], find: FindDownload) => Promise<boolean>;
}

export const useItemActions = (): ItemActions => {
  const client = useQueryClient();
  const { t } = useTranslation('collections');
  return useMemo(() => {
    const fail = (error: unknown): false => {
      toasts.add({ title: t(`actions.failed.${classifyFailure(error)}`), priority: 'high' });
      return false;
    };

    const applyChange = async (change: ItemChange, ids: readonly string[]): Promise<boolean> => {
      const changed = new Set(ids);
      const undo = await changeLists(client, change, changed);
      try {
        await sendItemChange(change, ids);
        return true;
      } catch (error) {
        undo();
        return fail(error);
      } finally {
        void refreshAfter(client, changed);
      }
    };

    const run: ItemActions['run'] = async (change, ids) => {
      if (ids.length === 0) return false;
      const countAdded = change.name === 'addToAlbum' ? await countAdditions(change.albumId) : undefined;
      if (!(await applyChange(change, ids))) return false;
      const album = 'albumName' in change ? change.albumName : '';
      const title = t(`actions.done.${change.name}`, { count: ids.length, album });
      // If some items were in the album before, undo would remove them too.
      const isReversible = countAdded === undefined || (await countAdded()) === new Set(ids).size;
      const undo = (): void => {
        toasts.close(toast);
        void applyChange(invertChange(change), ids);
      };
      const toast = toasts.add(
        isReversible ? { title, actionProps: { children: t('undo', { ns: 'common' }), onClick: undo } } : { title },
      );
      return true;
    };

    const removeForGood: ItemActions['removeForGood'] = async (ids, options = {}) => {
      const { deleteForGood } = await import('../../lib/changes/deleteForGood.ts');
      const removed = new Set<string>();
      try {
        await deleteForGood(ids, {
          signal: options.signal,
          onRemoved: (id) => {
            removed.add(id);
            options.onProgress?.(removed.size);
          },
        });
        return true;
      } catch (error) {
        return fail(error);
      } finally {
        await changeLists(client, { name: 'removeForGood' }, removed);
        if (removed.size > 0) toasts.add({ title: t('actions.done.removeForGood', { count: removed.size }) });
        void refreshAfter(client, removed);
      }
    };

    const download: ItemActions['download'] = async (ids, find) => {
      if (ids.length > 1) toasts.add({ title: t('actions.downloading', { count: ids.length }) });
      try {
        await downloadAll(ids, find);
        return true;
      } catch (error) {
        return fail(error);
      }
    };

    return { run, removeForGood, download };
  }, [client, t]);
};

/**
 * Counts the items of an album. The returned function counts again and returns how many were added, or undefined if a
 * request failed.
 */
const countAdditions = async (albumId: string): Promise<() => Promise<number | undefined>> => {
  const count = async (): Promise<number | undefined> => {
    const album = await call('GET /v1/albums/{id}', { params: { id: albumId } }).catch(() => undefined);
    return album?.mediaItemsCount;
  };
  const before = await count();
  return async () => {
    const after = await count();
    return before === undefined || after === undefined ? undefined : after - before;
  };
};
