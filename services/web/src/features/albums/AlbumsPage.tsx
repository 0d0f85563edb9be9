import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowDownAZ, Clock3, FolderHeart, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { AlbumCard } from './AlbumCard.tsx';
import styles from './AlbumsPage.module.css';
import { NewAlbumDialog } from './NewAlbumDialog.tsx';
import { albumList } from './queries.ts';

const route = getRouteApi('/app/albums');
const exactly = { exact: true, includeSearch: true };
/** All albums, or the hidden ones. */
export const AlbumsPage = () => {
  const { t } = useTranslation('albums');
  const search = route.useSearch();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    albumList(search),
  );
  const [isCreating, setIsCreating] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const isHidden = search.hidden === true;
  useDocumentTitle(t('title'));

  useEffect(() => {
    const element = end.current;
    if (element === null || !hasNextPage || isFetchingNextPage) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void fetchNextPage(), {
      rootMargin: '100%',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  if (error !== null && data === undefined) throw error;
  const albums = data?.pages.flatMap(({ items }) => items) ?? [];
  const create = (
    <Button variant="primary" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden size={20} />
      {t('new.action')}
    </Button>
  );

  return (
    <>
      <PageHeader title={isHidden ? t('hiddenTitle') : t('title')} actions={!isHidden && albums.length > 0 && create}>
        {albums.length > 0 && <Sorting />}
      </PageHeader>
      {isPending && (
        <p role="status" className="visually-hidden">
          {t('loading', { ns: 'common' })}
        </p>
      )}
      {!isPending && albums.length === 0 && (
        <EmptyState
          icon={FolderHeart}
          title={isHidden ? t('noneHidden.title') : t('none.title')}
          action={isHidden ? <Link to="/albums">{t('toAll')}</Link> : create}
        >
          <p>{isHidden ? t('noneHidden.text') : t('none.text')}</p>
        </EmptyState>
      )}
      <ul className={styles['albums']} aria-label={t('title')}>
        {albums.map((album) => (
          <li key={album.id}>
            <AlbumCard album={album} />
          </li>
        ))}
      </ul>
      <div ref={end} />
      {!isPending && (
        <p className={styles['hidden']}>
          {isHidden ? (
            albums.length > 0 && <Link to="/albums">{t('toAll')}</Link>
          ) : (
            <Link to="/albums" search={{ hidden: true }}>
              {t('toHidden')}
            </Link>
          )}
        </p>
      )}
      <NewAlbumDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
};

const Sorting = () => {
  const { t } = useTranslation('albums');
  const { hidden } = route.useSearch();
  return (
    <nav className={styles['sorting']} aria-label={t('sort.label')}>
      <Link to="/albums" search={{ hidden, sort: undefined }} replace activeOptions={exactly}>
        <ArrowDownAZ aria-hidden size={18} />
        {t('sort.name')}
      </Link>
      <Link to="/albums" search={{ hidden, sort: 'updated' }} replace activeOptions={exactly}>
        <Clock3 aria-hidden size={18} />
        {t('sort.updated')}
      </Link>
    </nav>
  );
};
