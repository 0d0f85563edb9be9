import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import styles from './DuplicatesPage.module.css';
import { GroupList } from './GroupList.tsx';
import { duplicatesQuery } from './queries.ts';

const route = getRouteApi('/app/duplicates');

/** Groups of duplicates with a suggested best item; or the reviewed groups, whose review can be undone. */
export const DuplicatesPage = () => {
  const { t } = useTranslation('duplicates');
  const { reviewed = false } = route.useSearch();
  const query = useInfiniteQuery(duplicatesQuery(reviewed));
  const groups = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const title = reviewed ? t('reviewedTitle') : t('title');
  useDocumentTitle(title);
  if (query.error !== null && groups.length === 0) throw query.error;
  const isEmpty = !query.isPending && groups.length === 0 && !query.hasNextPage;
  return (
    <>
      <PageHeader title={title}>
        {!isEmpty && <p className={styles['hint']}>{reviewed ? t('reviewedHint') : t('hint')}</p>}
        <Link to="/duplicates" search={reviewed ? {} : { reviewed: true }} className={styles['switch']}>
          {reviewed ? t('showOpen') : t('showReviewed')}
        </Link>
      </PageHeader>
      {isEmpty ? (
        <EmptyState icon={Copy} title={reviewed ? t('reviewedEmpty') : t('empty')}>
          {!reviewed && <p>{t('emptyText')}</p>}
        </EmptyState>
      ) : (
        <GroupList
          groups={groups}
          hasMore={query.hasNextPage}
          onMore={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
          }}
        />
      )}
    </>
  );
};
