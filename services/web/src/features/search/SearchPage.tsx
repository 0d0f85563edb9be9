import type { FoundMediaItem } from '@hearth/contract/search.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callPage } from '../../lib/api/client.ts';
import { MediaCollection } from '../../components/viewer/MediaCollection.tsx';
import { toGridItem } from '../../lib/items/gridItem.ts';
import { useMediaSource } from '../../lib/items/mediaSource.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { describeReasons } from './describeReasons.ts';
import { FilterChips } from './filters/FilterChips.tsx';
import { hasFilters } from './filters/filters.ts';
import { hasWords, PendingEmbedding, PendingNote, ModeNote } from './PendingEmbedding.tsx';
import type { Filters, SearchAddress } from './address/searchAddress.ts';
import styles from './SearchPage.module.css';
import { matchLink, suggestionIcons } from './suggestions/matches.ts';
import { useMatches } from './suggestions/useMatches.ts';

const route = getRouteApi('/app/search');

/** Items per page: a few screens. */
const pageSize = 100;

/** Search results, best first. Without a query or filter: suggestions. */
export const SearchPage = () => {
  const { item: _item, q, ...filters } = route.useSearch();
  return q.trim() === '' && !hasFilters(filters) ? <Suggestions /> : <Results q={q.trim()} filters={filters} />;
};

const Results = ({ q, filters }: { readonly q: string; readonly filters: Filters }) => {
  const { t, i18n } = useTranslation('search');
  const navigate = route.useNavigate();
  const requested: Partial<SearchAddress> = q === '' ? filters : { q, ...filters };
  const queryKey = ['mediaItems', 'search', requested] as const;
  const present = useCallback(
    (item: FoundMediaItem) => ({ ...toGridItem(item), found: describeReasons(item.reasons, t, i18n.language) }),
    [t, i18n.language],
  );
  const source = useMediaSource(
    queryKey,
    (next, signal) =>
      callPage('GET /v1/search', {
        query: { ...requested, today: localDay(new Date()), limit: pageSize },
        next,
        signal,
      }),
    present,
  );
  const isTextOnly = q !== '' && source.searchMode === 'text';
  const mayBePending = isTextOnly && hasWords(q);
  const setFilters = (next: Filters): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...next }), resetScroll: false });
  const title = q === '' ? t('title') : t('resultsFor', { q });
  useDocumentTitle(title);
  if (source.error !== null && source.items.length === 0) throw source.error;
  const noResults = hasFilters(filters) ? (
    <EmptyState
      icon={SearchX}
      title={t('nothingLeft')}
      action={
        q !== '' && (
          <Button onClick={() => void navigate({ to: '.', search: { q }, resetScroll: false })}>
            {t('withoutFilters')}
          </Button>
        )
      }
    />
  ) : (
    <EmptyState icon={SearchX} title={t('nothingFound', { q })}>
      <Hints />
    </EmptyState>
  );
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{title}</h1>
        <NamedMatches q={q} />
        <FilterChips filters={filters} onChange={setFilters} />
        {isTextOnly && <ModeNote queryKey={queryKey} />}
        {mayBePending && source.items.length > 0 && <PendingNote key={JSON.stringify(requested)} queryKey={queryKey} />}
      </header>
      <MediaCollection
        source={source}
        label={title}
        kind={{ name: 'library' }}
        empty={
          mayBePending ? (
            <PendingEmbedding key={JSON.stringify(requested)} queryKey={queryKey}>
              {noResults}
            </PendingEmbedding>
          ) : (
            noResults
          )
        }
      />
    </div>
  );
};

const Suggestions = () => {
  const { t } = useTranslation('search');
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{t('title')}</h1>
      </header>
      <Hints />
    </div>
  );
};

/** Example searches, one per kind of term. */
const Hints = () => {
  const { t } = useTranslation('search');
  const [year] = useState(() => new Date().getFullYear() - 1);
  const examples = [
    { hint: t('hintDate'), q: t('exampleDate', { year }) },
    { hint: t('hintCamera'), q: 'iPhone' },
    { hint: t('hintFilename'), q: 'IMG' },
  ];
  return (
    <div className={styles['hints']}>
      <p>{t('hints')}</p>
      <ul>
        {examples.map(({ hint, q }) => (
          <li key={q}>
            {hint}{' '}
            <Link to="/search" search={{ q }}>
              {q}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** Returns the user's local date, `2026-04-03`. */
const localDay = (now: Date): string =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** Entities and dates that match the query. They explain the results and link to their own pages. */
const NamedMatches = ({ q }: { readonly q: string }) => {
  const { t } = useTranslation('search');
  const matches = useMatches(q);
  if (matches.length === 0) return null;
  return (
    <nav aria-label={t('matches')} className={styles['matches']}>
      <span className={styles['label']}>{t('matches')}</span>
      {matches.map((match) => {
        const Icon = suggestionIcons[match.kind];
        return (
          <Link key={`${match.kind}-${match.id ?? match.value}`} {...matchLink(match)} className={styles['match']}>
            <Icon aria-hidden size={18} strokeWidth={1.75} />
            <span className={styles['name']}>{match.name}</span>
            <span className={styles['kind']}>{t(`kind.${match.kind}`)}</span>
          </Link>
        );
      })}
    </nav>
  );
};
