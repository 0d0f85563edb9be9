import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserX, UsersRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFeatures } from '../../../lib/api/useFeatures.ts';
import { useItemActions } from '../../actions/useItemActions.ts';
import { IconButton } from '../../controls/IconButton.tsx';
import { itemPeopleQuery } from './infoQueries.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';

/** People in the picture, each with a button that removes a wrong match. */
export const PeopleSection = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('viewer');
  const features = useFeatures();
  const { run } = useItemActions();
  const { data: people } = useQuery({ ...itemPeopleQuery(id), enabled: features?.people === true });
  if (people === undefined || people.length === 0) return null;
  return (
    <InfoRow icon={UsersRound} label={t('info.people')}>
      <ul className={styles['links']}>
        {people.map((person) => (
          <li key={person.id} className={styles['linked']}>
            <Link to="/people/$id" params={{ id: person.id }} className={`${styles['chip']} ${styles['person']}`}>
              <img src={person.coverMediaItemFace?.thumbnail} alt="" className={styles['face']} />
              {person.name ?? t('info.unnamed')}
            </Link>
            <IconButton
              icon={UserX}
              label={person.name === undefined ? t('info.notUnnamed') : t('info.notPerson', { name: person.name })}
              onClick={() => void run({ name: 'removeFromPerson', personId: person.id }, [id])}
            />
          </li>
        ))}
      </ul>
    </InfoRow>
  );
};
