import { useQuery, queryOptions } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MapPin } from 'lucide-react';
import { Suspense, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/page/EmptyState.tsx';
import { useDocumentTitle } from '../../../lib/browser/useDocumentTitle.ts';
import { EntityGrid } from '../entities/EntityGrid.tsx';
import pageStyles from '../entities/ExplorePage.module.css';
import mapStyles from './PlacesMap.module.css';
import styles from './PlacesPage.module.css';
import { lazyComponent } from '../../../lib/browser/lazyComponent.ts';
import { callPage } from '../../../lib/api/client.ts';
import { translateCountry } from '../entities/countryNames.ts';

const PlacesMap = lazyComponent('PlacesMap', () => import('./PlacesMap.tsx'));

const route = getRouteApi('/app/places');

export const PlacesPage = () => {
  const { t, i18n } = useTranslation('explore');
  const { map } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: places } = useQuery({ ...allPlacesQuery, throwOnError: true });
  useDocumentTitle(t('places'));
  return (
    <div className={pageStyles['page']}>
      <h1>{t('places')}</h1>
      {places?.length === 0 ? (
        <EmptyState icon={MapPin} title={t('placesEmpty')}>
          <p>{t('placesHint')}</p>
        </EmptyState>
      ) : (
        <Suspense fallback={<div className={mapStyles['frame']} />}>
          <PlacesMap
            view={map}
            onView={(view) =>
              void navigate({
                to: '.',
                search: (before) => ({ ...before, map: view }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Suspense>
      )}
      <div className={styles['countries']}>
        {groupByCountry(places ?? [], i18n.language).map(({ country = t('noCountry'), places: countryPlaces }) => (
          <section
            key={country}
            className={styles['country']}
            style={{ '--places': countryPlaces.length } as CSSProperties}
          >
            <h2>
              <span className={styles['name']}>{country}</span>{' '}
              <span className={styles['count']}>{t('placesCount', { count: countryPlaces.length })}</span>
            </h2>
            <EntityGrid
              label={country}
              entities={countryPlaces.map(({ id, name, coverMediaItem }) => ({
                id,
                name,
                imageUrl: coverMediaItem?.thumbnailUrl,
                to: '/places/$id',
              }))}
            />
          </section>
        ))}
      </div>
    </div>
  );
};

/** All places, because grouping by country needs the complete list. */
const allPlacesQuery = queryOptions({
  queryKey: ['places', 'all'],
  queryFn: async ({ signal }) => {
    const list = (next?: string) => callPage('GET /v1/explore/places', { query: { limit: 200 }, next, signal });
    let page = await list();
    const places = [...page.items];
    while (page.next !== undefined) {
      page = await list(page.next);
      places.push(...page.items);
    }
    return places;
  },
});

/** Places of one country, by name. */
interface CountryOfPlaces<Place> {
  /** Translated name; undefined for places outside of any country. */
  readonly country: string | undefined;
  readonly places: readonly Place[];
}

/** Groups places by country. Sorts both by name in the given language, with places outside of any country last. */
export const groupByCountry = <Place extends { readonly name: string; readonly country?: string | undefined }>(
  places: readonly Place[],
  language: string,
): readonly CountryOfPlaces<Place>[] => {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return [...Map.groupBy(places, ({ country }) => country)]
    .map(([country, countryPlaces]) => ({
      country: country === undefined ? undefined : translateCountry(language, country),
      places: countryPlaces.toSorted((a, b) => compare(a.name, b.name)),
    }))
    .toSorted((a, b) =>
      a.country === undefined || b.country === undefined
        ? Number(a.country === undefined) - Number(b.country === undefined)
        : compare(a.country, b.country),
    );
};
