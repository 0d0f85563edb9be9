import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { TextField } from '../../../components/controls/TextField.tsx';
import { categories, type Filters } from '../address/searchAddress.ts';
import chipStyles from './FilterChips.module.css';
import styles from './FilterDialog.module.css';
import { addMatch } from './filters.ts';
import { MatchField } from './MatchField.tsx';
import { NamedFilters } from './NamedFilters.tsx';

/** Dialog to choose filters by name, date and category. They apply when confirmed. */
export const FilterDialog = (props: {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation('search');
  const [filters, setFilters] = useState(props.filters);
  const { from, to, category } = filters;
  const isBackwards = from !== undefined && to !== undefined && to < from;
  const apply = (): void => {
    props.onChange(filters);
    props.onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title={t('filters')}
      actions={
        <>
          <Button onClick={props.onClose}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" disabled={isBackwards} focusableWhenDisabled onClick={apply}>
            {t('filter.apply')}
          </Button>
        </>
      }
    >
      <div className={styles['named']}>
        <MatchField label={t('filter.name')} onChoose={(match) => setFilters((before) => addMatch(before, match))} />
        <div className={chipStyles['wrapped']}>
          <NamedFilters filters={filters} onChange={setFilters} />
        </div>
      </div>
      <div className={styles['days']}>
        <TextField
          type="date"
          label={t('filter.from')}
          value={from ?? ''}
          onValueChange={(day) => setFilters({ ...filters, from: day === '' ? undefined : day })}
        />
        <TextField
          type="date"
          label={t('filter.to')}
          value={to ?? ''}
          {...(isBackwards ? { error: t('filter.backwards') } : {})}
          onValueChange={(day) => setFilters({ ...filters, to: day === '' ? undefined : day })}
        />
      </div>
      <label className={styles['kind']}>
        <span>{t('filter.category')}</span>
        <select
          value={category ?? ''}
          onChange={({ target: { value } }) =>
            setFilters({ ...filters, category: categories.find((each) => each === value) })
          }
        >
          <option value="">{t('filter.anyCategory')}</option>
          {categories.map((each) => (
            <option key={each} value={each}>
              {t(`category.${each}`)}
            </option>
          ))}
        </select>
      </label>
    </Dialog>
  );
};
