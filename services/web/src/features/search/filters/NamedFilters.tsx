import { searchIdFilters, type SearchIdFilter } from '@hearth/contract/searchFilters.ts';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { Shapes, X, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../../../lib/browser/focusContent.ts';
import styles from './FilterChips.module.css';
import { listIds, removeId } from './filters.ts';
import { suggestionIcons } from '../suggestions/matches.ts';
import type { Filters } from '../address/searchAddress.ts';
import { formatDays } from '../address/dateSpans.ts';
import { call } from '../../../lib/api/client.ts';

const icons = {
  people: suggestionIcons.person,
  places: suggestionIcons.place,
  things: suggestionIcons.thing,
  albums: suggestionIcons.album,
} as const;

/** Removable chips of all filters that have no toggle. */
export const NamedFilters = (props: { readonly filters: Filters; readonly onChange: (filters: Filters) => void }) => {
  const { t, i18n } = useTranslation('search');
  const { filters } = props;
  const { category, camera, from, to } = filters;
  const change = (next: Filters): void => {
    props.onChange(next);
    // The focused chip disappears.
    focusContent();
  };
  return (
    <>
      {Object.values(searchIdFilters).flatMap((filter) =>
        listIds(filters, filter).map((id) => (
          <IdChip key={id} filter={filter} id={id} onRemove={() => change(removeId(filters, filter, id))} />
        )),
      )}
      {category !== undefined && (
        <Chip
          icon={Shapes}
          name={t(`category.${category}`)}
          onRemove={() => change({ ...filters, category: undefined })}
        />
      )}
      {camera !== undefined && (
        <Chip icon={suggestionIcons.camera} name={camera} onRemove={() => change({ ...filters, camera: undefined })} />
      )}
      {(from !== undefined || to !== undefined) && (
        <Chip
          icon={suggestionIcons.date}
          name={formatDays({ from, to }, t, i18n.language)}
          onRemove={() => change({ ...filters, from: undefined, to: undefined })}
        />
      )}
    </>
  );
};

const IdChip = (props: { readonly filter: SearchIdFilter; readonly id: string; readonly onRemove: () => void }) => {
  const { t } = useTranslation('search');
  const { data, isError } = useQuery(nameQuery(props.filter, props.id));
  const name = isError ? t('filter.gone') : data === undefined ? '…' : (data ?? t('filter.unnamed'));
  return <Chip icon={icons[props.filter]} name={name} onRemove={props.onRemove} />;
};

const Chip = (props: { readonly icon: LucideIcon; readonly name: string; readonly onRemove: () => void }) => {
  const { t } = useTranslation('search');
  const { icon: Icon, name } = props;
  return (
    <button
      type="button"
      aria-label={t('filter.remove', { name })}
      title={t('filter.remove', { name })}
      data-on
      className={styles['chip']}
      onClick={props.onRemove}
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} />
      <span className={styles['name']}>{name}</span>
      <X aria-hidden size={16} strokeWidth={1.75} />
    </button>
  );
};

/** Name of a filter's entity; null for an unnamed person. */
const nameQuery = (filter: SearchIdFilter, id: string) =>
  queryOptions({
    queryKey: [filter, id, 'name'],
    queryFn: async ({ signal }) => (await fetchName(filter, id, signal)).name ?? null,
  });

const fetchName = (
  filter: SearchIdFilter,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly name?: string | undefined }> => {
  const options = { params: { id }, signal };
  switch (filter) {
    case 'people':
      return call('GET /v1/explore/people/{id}', options);
    case 'places':
      return call('GET /v1/explore/places/{id}', options);
    case 'things':
      return call('GET /v1/explore/things/{id}', options);
    case 'albums':
      return call('GET /v1/albums/{id}', options);
  }
};
