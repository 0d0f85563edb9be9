import { CalendarHeart } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MediaCollection } from '../../components/viewer/MediaCollection.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import styles from './entities/ExplorePage.module.css';
import { useYearsAgo } from './OnThisDay.tsx';

/** This day in earlier years. */
export const YearsAgoPage = () => {
  const { t } = useTranslation('explore');
  return (
    <div className={styles['page']}>
      <h1>{t('onThisDay')}</h1>
      <MediaCollection
        source={useYearsAgo()}
        label={t('onThisDay')}
        kind={{ name: 'library' }}
        empty={
          <EmptyState icon={CalendarHeart} title={t('onThisDayEmpty')}>
            <p>{t('onThisDayEmptyText')}</p>
          </EmptyState>
        }
      />
    </div>
  );
};
