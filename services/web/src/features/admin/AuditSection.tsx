import type { AuditEntry } from '@hearth/contract/audit.ts';
import type { User } from '@hearth/contract/users.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { Section } from '../../components/page/Section.tsx';
import { auditQuery, usersQuery } from './queries.ts';
import { useAdmin } from './adminClient.ts';
import styles from './AdminPage.module.css';

export const AuditSection = () => {
  const { t, i18n } = useTranslation('admin');
  const client = useAdmin();
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(auditQuery(client));
  const { data: users } = useInfiniteQuery(usersQuery(client));
  const names = new Map(users?.pages.flatMap(({ items }) => items.map(({ id, name }: User) => [id, name])));
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' });

  const getActorName = ({ actor, userId }: AuditEntry): string => {
    const name = userId === undefined ? undefined : names.get(userId);
    if (actor === 'ADMINISTRATOR') return name === undefined ? t('administrator') : t('administratorAbout', { name });
    return name ?? t(actor === 'USER' ? 'formerUser' : 'nobody');
  };

  return (
    <Section title={t('audit')} hint={t('auditHint')}>
      <ul className={styles['list']}>
        {data?.pages
          .flatMap(({ items }) => items)
          .map((entry) => (
            <li key={entry.id} className={styles['entry']}>
              <p>{t(`action.${entry.action}`)}</p>
              <p className={styles['details']}>
                {getActorName(entry)} · <time dateTime={entry.at}>{date.format(new Date(entry.at))}</time>
                {entry.address !== undefined && ` · ${entry.address}`}
              </p>
            </li>
          ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button onClick={() => void fetchNextPage()}>{t('more')}</Button>
        </div>
      )}
    </Section>
  );
};
