import type { User } from '@hearth/contract/users.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { Section } from '../../components/page/Section.tsx';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { usersQuery } from './queries.ts';
import { useAdmin } from './adminClient.ts';
import { UserDialog } from './UserDialog.tsx';
import { UserItem } from './UserItem.tsx';
import styles from './UsersSection.module.css';

type Opened = { readonly kind: 'create' } | { readonly kind: 'change' | 'delete'; readonly user: User };

export const UsersSection = () => {
  const { t } = useTranslation('admin');
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(usersQuery(useAdmin()));
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  const users = data?.pages.flatMap(({ items }) => items) ?? [];

  return (
    <Section title={t('users')}>
      {error !== null && <p role="alert">{t('failed.unreachable', { ns: 'common' })}</p>}
      <ul className={styles['list']}>
        {users.map((user) => (
          <UserItem
            key={user.id}
            user={user}
            onChange={() => setOpened({ kind: 'change', user })}
            onDelete={() => setOpened({ kind: 'delete', user })}
          />
        ))}
      </ul>
      <div className={styles['actions']}>
        {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('more')}</Button>}
        <Button variant="primary" onClick={() => setOpened({ kind: 'create' })}>
          <UserPlus aria-hidden size={20} strokeWidth={1.75} />
          {t('create')}
        </Button>
      </div>
      {opened?.kind === 'create' && <UserDialog user={undefined} onClose={close} />}
      {opened?.kind === 'change' && <UserDialog user={opened.user} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteUserDialog user={opened.user} onClose={close} />}
    </Section>
  );
};
