import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Ellipsis, Eye, EyeOff, Image, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../lib/api/apiError.ts';
import { callPage, type Page } from '../../../lib/api/client.ts';
import { MediaCollection } from '../../../components/viewer/MediaCollection.tsx';
import { listKeys } from '../../../lib/changes/listKeys.ts';
import { useMediaSource } from '../../../lib/items/mediaSource.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { EmptyState } from '../../../components/page/EmptyState.tsx';
import { IconButton } from '../../../components/controls/IconButton.tsx';
import { Menu } from '../../../components/overlays/Menu.tsx';
import { useDocumentTitle } from '../../../lib/browser/useDocumentTitle.ts';
import { CoverDialog } from '../entities/CoverDialog.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import styles from './PersonPage.module.css';
import { PersonName } from './PersonName.tsx';
import { personQuery } from '../entities/queries.ts';
import { useUpdatePerson } from './useUpdatePerson.ts';

const route = getRouteApi('/app/people/$id');

export const PersonPage = () => {
  const { t } = useTranslation('explore');
  const { id } = route.useParams();
  const { data: person } = useQuery({
    ...personQuery(id),
    // The page stays open after "Not this person" has removed the last photo, so that this can be undone.
    throwOnError: (_, { state }) => state.data === undefined,
  });
  const [open, setOpen] = useState<'merge' | 'cover'>();
  const update = useUpdatePerson(id);
  const source = useMediaSource(listKeys.person(id), (next, signal) =>
    callPage('GET /v1/explore/people/{id}/mediaItems', { params: { id }, query: { limit: 200 }, next, signal }).catch(
      ignoreNotFound,
    ),
  );
  const close = (): void => setOpen(undefined);
  useDocumentTitle(person?.name);
  const name = person?.name ?? t('personWithoutName');
  return (
    <div className={styles['page']}>
      {person !== undefined && (
        <header className={styles['header']}>
          {person.coverMediaItemFace !== undefined && (
            <img src={person.coverMediaItemFace.thumbnail} alt="" className={styles['face']} />
          )}
          <h1 className="visually-hidden">{name}</h1>
          <PersonName key={person.id} person={person} />
          <div className={styles['actions']}>
            <Button onClick={() => setOpen('merge')}>{t('merge')}</Button>
            <Menu
              trigger={<IconButton icon={Ellipsis} label={t('more')} />}
              items={[
                { label: t('coverChoose'), icon: Image, onSelect: () => setOpen('cover') },
                person.hidden
                  ? { label: t('personShow'), icon: Eye, onSelect: () => update.hide(false) }
                  : { label: t('personHide'), icon: EyeOff, onSelect: () => update.hide(true) },
              ]}
            />
          </div>
          {person.hidden && <p className={styles['note']}>{t('personHiddenNote')}</p>}
        </header>
      )}
      <MediaCollection
        source={source}
        label={name}
        kind={{ name: 'person', personId: id }}
        empty={<EmptyState icon={Users} title={t('entityEmpty')} />}
      />
      {open === 'merge' && person !== undefined && <MergeDialog person={person} onClose={close} />}
      {open === 'cover' && (
        <CoverDialog
          kind="people"
          id={id}
          source={source}
          coverMediaItemId={person?.coverMediaItemId}
          onClose={close}
        />
      )}
    </div>
  );
};

/** Treats 404 as an empty list: a person without photos does not exist on the server until the removal is undone. */
const ignoreNotFound = (error: unknown): Page<MediaItem> => {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return { items: [], next: undefined, total: 0 };
  throw error;
};
