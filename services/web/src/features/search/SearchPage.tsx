import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callPage } from '../../api/client.ts';
import { MediaCollection } from '../../viewer/MediaCollection.tsx';
import { useMediaSource } from '../../media/mediaSource.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts';
import { isFiltering, type Filters } from './filterFound.ts';
import { FilterChips } from './FilterChips.tsx';
import { NamedMatches } from './NamedMatches.tsx';
import styles from './SearchPage.module.css';
import { useFilteredSource } from './useFilteredSource.ts';

const route = getRouteApi('/app/search');

/** What a search found, the best first, or what to try instead. */
export const SearchPage = () => {
  const { q } = route.useSearch();
  return q.trim() === '' ? <Suggestions /> : <Results q={q.trim()} />;
};

const Results = ({ q }: { readonly q: string }) => {
  const { t } = useTranslation('search');
  const { type, favourites, year } = route.useSearch();
  const navigate = route.useNavigate();
  const filters: Filters = { type, favourites, year };
  const source = useMediaSource(['mediaItems', 'search', q], (next, signal) =>
    callPage('GET /v1/search', { query: { q, limit: 200 }, next, signal }),
  );
  const shown = useFilteredSource(source, filters);
  const setFilters = (next: Filters): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  useDocumentTitle(t('resultsFor', { q }));
  if (source.error !== null) throw source.error;
  const hasFound = source.items.length > 0;
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{t('resultsFor', { q })}</h1>
        <NamedMatches q={q} />
        {(hasFound || isFiltering(filters)) && <FilterChips filters={filters} onChange={setFilters} />}
      </header>
      <MediaCollection
        source={shown}
        label={t('resultsFor', { q })}
        kind={{ name: 'library' }}
        empty={
          hasFound ? (
            <EmptyState
              icon={SearchX}
              title={t('nothingLeft')}
              action={
                <Button onClick={() => setFilters({ type: undefined, favourites: undefined, year: undefined })}>
                  {t('showAllFound')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon={SearchX} title={t('nothingFound', { q })}>
              <Hints />
            </EmptyState>
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

/** What a search can find, with an example of each that can be tried. */
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
