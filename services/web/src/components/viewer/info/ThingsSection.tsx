import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFeatures } from '../../../lib/api/useFeatures.ts';
import { thingsOfItem } from './infoQueries.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';

/** What is seen on it. */
export const ThingsSection = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('viewer');
  const features = useFeatures();
  const { data: things } = useQuery({ ...thingsOfItem(id), enabled: features?.things === true });
  if (things === undefined || things.length === 0) return null;
  return (
    <InfoRow icon={Tag} label={t('info.things')}>
      <ul className={styles['links']}>
        {things.map((thing) => (
          <li key={thing.id}>
            <Link to="/things/$id" params={{ id: thing.id }} className={styles['chip']}>
              {thing.name}
            </Link>
          </li>
        ))}
      </ul>
    </InfoRow>
  );
};
