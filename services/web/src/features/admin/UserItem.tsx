import type { User } from '@hearth/contract/users.ts';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../lib/i18n/formats.ts';
import { Button } from '../../components/controls/Button.tsx';
import styles from './UsersSection.module.css';

export const UserItem = (props: {
  readonly user: User;
  readonly onChange: () => void;
  readonly onDelete: () => void;
}) => {
  const { t, i18n } = useTranslation('admin');
  const { name, username, usedBytes, quotaBytes, createdAt } = props.user;
  const used = formatBytes(usedBytes, i18n.language);
  const created = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(new Date(createdAt));
  return (
    <li className={styles['user']}>
      <div className={styles['words']}>
        <p className={styles['name']}>{name}</p>
        <p className={styles['details']}>{username}</p>
        <p className={styles['details']}>
          {quotaBytes === undefined
            ? t('used', { used })
            : t('usedOf', { used, quota: formatBytes(quotaBytes, i18n.language) })}
          {` · ${t('since', { date: created })}`}
        </p>
      </div>
      <div className={styles['actions']}>
        <Button aria-label={t('changeOf', { name })} onClick={props.onChange}>
          {t('change')}
        </Button>
        <Button variant="quiet" aria-label={t('deleteOf', { name })} onClick={props.onDelete}>
          {t('delete')}
        </Button>
      </div>
    </li>
  );
};
