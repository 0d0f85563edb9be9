import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/api/client.ts';
import { announceExpiredLinks, signOut } from '../../lib/api/session.ts';
import { Button } from '../../components/controls/Button.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import { describeDevice } from './describeDevice.ts';
import { sessionsQuery } from './queries.ts';
import { Section } from '../../components/page/Section.tsx';
import styles from './SessionsSection.module.css';

export const SessionsSection = () => {
  const { t, i18n } = useTranslation('settings');
  const queryClient = useQueryClient();
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined
        ? call('DELETE /v1/auth/sessions', {})
        : call('DELETE /v1/auth/sessions/{id}', { params: { id } }),
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
    onSuccess: (_, id) => {
      if (id === undefined) announceExpiredLinks();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const sessions = data?.pages.flatMap(({ items }) => items) ?? [];
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });

  return (
    <Section title={t('sessions')} hint={t('sessionsHint')}>
      <ul className={styles['list']}>
        {sessions.map((session) => (
          <li key={session.id} className={styles['session']}>
            <div>
              <p className={styles['device']}>{describeDevice(session.device) ?? t('sessionUnknown')}</p>
              <p className={styles['details']}>
                {session.current
                  ? t('sessionCurrent')
                  : t('sessionLastUsed', { when: date.format(new Date(session.lastUsedAt)) })}
                {session.network !== undefined && ` · ${session.network}`}
              </p>
            </div>
            {session.current ? (
              <Button onClick={() => void signOut()}>{t('signOut', { ns: 'session' })}</Button>
            ) : (
              <Button
                aria-label={t('sessionEndOf', { device: describeDevice(session.device) ?? t('sessionUnknown') })}
                onClick={() => end.mutate(session.id)}
              >
                {t('sessionEnd')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className={styles['actions']}>
        {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('sessionsMore')}</Button>}
        {sessions.length > 1 && <Button onClick={() => end.mutate(undefined)}>{t('sessionsEndOthers')}</Button>}
      </div>
    </Section>
  );
};
