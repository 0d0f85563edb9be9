import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFeatures } from '../../api/useFeatures.ts';
import { peopleOfItem } from './infoQueries.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';

/** Who is seen on it, by face and name. */
export const PeopleSection = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('viewer');
  const features = useFeatures();
  const { data: people } = useQuery({ ...peopleOfItem(id), enabled: features?.people === true });
  if (people === undefined || people.length === 0) return null;
  return (
    <InfoRow icon={UsersRound} label={t('info.people')}>
      <ul className={styles['links']}>
        {people.map((person) => (
          <li key={person.id}>
            <Link to="/people/$id" params={{ id: person.id }} className={`${styles['chip']} ${styles['person']}`}>
              <img src={person.coverMediaItemFace?.thumbnail} alt="" className={styles['face']} />
              {person.name ?? t('info.unnamed')}
            </Link>
          </li>
        ))}
      </ul>
    </InfoRow>
  );
};
