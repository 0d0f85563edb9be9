import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFeatures } from '../../lib/api/useFeatures.ts';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { EntityGrid } from './entities/EntityGrid.tsx';
import styles from './entities/ExplorePage.module.css';
import { OnThisDay } from './OnThisDay.tsx';
import { usePeople, usePlaces, useThings, type Entities } from './entities/useEntities.ts';

export const ExplorePage = () => {
  const { t } = useTranslation('explore');
  const features = useFeatures();
  return (
    <div className={styles['page']}>
      <h1>{t('title')}</h1>
      <OnThisDay />
      {features?.people === true && <People />}
      {features?.places === true && <Places />}
      {features?.things === true && <Things />}
      <section className={styles['section']}>
        <div className={styles['heading']}>
          <h2>{t('duplicates')}</h2>
          <Link to="/duplicates" aria-label={t('showAllOf', { what: t('duplicates') })}>
            {t('showAll')}
          </Link>
        </div>
        <p className={styles['hint']}>{t('duplicatesHint')}</p>
      </section>
      {features?.explore === false && <EmptyState icon={Compass} title={t('switchedOff')} />}
    </div>
  );
};

const People = () => {
  const { t } = useTranslation('explore');
  return <Overview title={t('people')} to="/people" hint={t('peopleHint')} entities={usePeople()} isRound />;
};

const Places = () => {
  const { t } = useTranslation('explore');
  return <Overview title={t('places')} to="/places" hint={t('placesHint')} entities={usePlaces()} />;
};

const Things = () => {
  const { t } = useTranslation('explore');
  return <Overview title={t('things')} to="/things" hint={t('thingsHint')} entities={useThings()} />;
};

const Overview = (props: {
  readonly title: string;
  readonly to: '/people' | '/places' | '/things';
  /** Explanation shown instead of an empty list. */
  readonly hint: string;
  readonly entities: Entities;
  readonly isRound?: boolean;
}): ReactNode => {
  const { t } = useTranslation('explore');
  const { entities, isLoading } = props.entities;
  return (
    <section className={styles['section']}>
      <div className={styles['heading']}>
        <h2>{props.title}</h2>
        {entities.length > 0 && (
          <Link to={props.to} aria-label={t('showAllOf', { what: props.title })}>
            {t('showAll')}
          </Link>
        )}
      </div>
      {!isLoading && entities.length === 0 ? (
        <p className={styles['hint']}>{props.hint}</p>
      ) : (
        <EntityGrid
          label={props.title}
          entities={entities.slice(0, 20)}
          isRow
          {...(props.isRound === true ? { isRound: true } : {})}
        />
      )}
    </section>
  );
};
