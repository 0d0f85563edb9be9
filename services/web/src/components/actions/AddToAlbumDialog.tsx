import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderHeart, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/api/client.ts';
import { Dialog } from '../overlays/Dialog.tsx';
import { TextField } from '../controls/TextField.tsx';
import { toasts } from '../overlays/toasts.ts';
import styles from './AddToAlbumDialog.module.css';
import { albumChoices, hasAlbumNamed, filterAlbums } from './albumChoices.ts';
import { classifyFailure } from '../../lib/changes/classifyFailure.ts';
import { useItemActions } from './useItemActions.ts';

/** Adds media items to an album: an existing one, most recently updated first, or a new one with the typed name. */
export const AddToAlbumDialog = (props: {
  readonly mediaItemIds: readonly string[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onAdded?: () => void;
}) => {
  const { t } = useTranslation('albums');
  const { run } = useItemActions();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const { data: albums, isError } = useQuery({ ...albumChoices, enabled: props.isOpen });
  const name = typed.trim();
  const found = filterAlbums(albums ?? [], typed);
  const isNewOffered = name !== '' && albums !== undefined && !hasAlbumNamed(albums, name);

  const add = (album: { readonly id: string; readonly name: string }): void => {
    void run({ name: 'addToAlbum', albumId: album.id, albumName: album.name }, props.mediaItemIds);
    props.onClose();
    props.onAdded?.();
  };
  const create = async (): Promise<void> => {
    try {
      const album = await call('POST /v1/albums', { body: { name } });
      void client.invalidateQueries({ queryKey: ['albums'] });
      add(album);
    } catch (error) {
      toasts.add({ title: t(`actions.failed.${classifyFailure(error)}`, { ns: 'collections' }), priority: 'high' });
    }
  };

  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={t('addTo.title', { count: props.mediaItemIds.length })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isNewOffered) void create();
          else if (found[0] !== undefined && name !== '') add(found[0]);
        }}
      >
        <TextField
          label={t('addTo.search')}
          value={typed}
          maxLength={255}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <ul className={styles['choices']} aria-label={t('addTo.albums')}>
        {isNewOffered && (
          <li>
            <button type="button" className={styles['choice']} onClick={() => void create()}>
              <span className={styles['cover']}>
                <Plus aria-hidden size={22} />
              </span>
              <span className={styles['name']}>{t('addTo.create', { name })}</span>
            </button>
          </li>
        )}
        {found.map((album) => (
          <li key={album.id}>
            <button type="button" className={styles['choice']} onClick={() => add(album)}>
              {album.coverMediaItem?.thumbnailUrl === undefined ? (
                <span className={styles['cover']}>
                  <FolderHeart aria-hidden size={22} strokeWidth={1.5} />
                </span>
              ) : (
                <img className={styles['cover']} src={album.coverMediaItem.thumbnailUrl} alt="" loading="lazy" />
              )}
              <span className={styles['name']}>{album.name}</span>
              <span className={styles['count']}>{t('count', { count: album.mediaItemsCount })}</span>
            </button>
          </li>
        ))}
      </ul>
      {isError && <p role="alert">{t('failed.text', { ns: 'common' })}</p>}
      {albums?.length === 0 && name === '' && <p className={styles['hint']}>{t('addTo.none')}</p>}
    </Dialog>
  );
};
