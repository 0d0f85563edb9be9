import { getRouteApi, Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntitiesPage } from '../entities/EntitiesPage.tsx';
import type { Entity } from '../entities/EntityCard.tsx';
import styles from './PeoplePage.module.css';
import { SamePersonDialog } from './SamePersonDialog.tsx';
import { usePeople } from '../entities/useEntities.ts';

const route = getRouteApi('/app/people');

/** All people, or the hidden ones. Dragging a person onto another opens the merge dialog. */
export const PeoplePage = () => {
  const { t } = useTranslation('explore');
  const { hidden = false } = route.useSearch();
  const people = usePeople(hidden);
  const [pair, setPair] = useState<{ readonly dropped: Entity; readonly target: Entity }>();
  return (
    <>
      <EntitiesPage
        title={hidden ? t('peopleHidden') : t('people')}
        icon={Users}
        emptyTitle={hidden ? t('peopleHiddenEmpty') : t('peopleEmpty')}
        emptyText={hidden ? t('peopleHiddenText') : t('peopleHint')}
        entities={people}
        isRound
        onDropOn={(dropped, target) => setPair({ dropped, target })}
      >
        <div>
          {people.entities.length > 1 && <p className={styles['hint']}>{t('dragHint')}</p>}
          <Link to="/people" search={hidden ? {} : { hidden: true }} className={styles['switch']}>
            {hidden ? t('peopleShow') : t('peopleShowHidden')}
          </Link>
        </div>
      </EntitiesPage>
      {pair !== undefined && <SamePersonDialog {...pair} onClose={() => setPair(undefined)} />}
    </>
  );
};
