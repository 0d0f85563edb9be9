import type { Reason } from '@hearth/contract/reasons.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { Section } from '../../components/page/Section.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import { groupByReason, ReasonItem, useItemCount } from './ReasonItem.tsx';
import styles from './ProcessingSection.module.css';
import { processingQuery } from './queries.ts';
import { call } from '../../lib/api/client.ts';

/** Pending, failed and blocked processing, grouped by reason. */
export const ProcessingSection = () => {
  const { t } = useTranslation('settings');
  const itemCount = useItemCount();
  const queryClient = useQueryClient();
  const { data: processing } = useQuery(processingQuery);
  const retry = useMutation({
    mutationFn: (reason: Reason | undefined) => retryFailed(reason),
    onSuccess: () => toasts.add({ title: t('processingRetried') }),
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: processingQuery.queryKey }),
  });
  if (processing === undefined) return null;

  const { waiting } = processing;
  const failed = groupByReason(processing.failed);
  const blocked = groupByReason(processing.blocked);
  return (
    <Section title={t('processing')}>
      <div role="status">
        {waiting.length === 0 ? (
          <p>{failed.length + blocked.length === 0 ? t('processingDone') : t('processingIdle')}</p>
        ) : (
          <>
            <p>{t('processingWaiting')}</p>
            <ul className={styles['waiting']}>
              {waiting.map(({ component, count }) => (
                <li key={component}>
                  <span>{t(`components.${component}.name`, { ns: 'common' })}</span>
                  <span className={styles['count']}>{itemCount(count)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {failed.length > 0 && (
        <div className={styles['groups']}>
          <h3>{t('processingFailed')}</h3>
          <ul className={styles['groups']}>
            {failed.map((group) => (
              <ReasonItem
                key={group.reason}
                group={group}
                action={
                  <Button
                    disabled={retry.isPending}
                    focusableWhenDisabled
                    aria-describedby={`reason-${group.reason}`}
                    onClick={() => retry.mutate(group.reason)}
                  >
                    {t('tryAgain', { ns: 'common' })}
                  </Button>
                }
              />
            ))}
          </ul>
          {failed.length > 1 && (
            <Button
              className={styles['all']}
              disabled={retry.isPending}
              focusableWhenDisabled
              onClick={() => retry.mutate(undefined)}
            >
              {t('processingRetryAll')}
            </Button>
          )}
        </div>
      )}
      {blocked.length > 0 && (
        <div className={styles['groups']}>
          <h3>{t('processingBlocked')}</h3>
          <p className={styles['hint']}>{t('processingBlockedHint')}</p>
          <ul className={styles['groups']}>
            {blocked.map((group) => (
              <ReasonItem key={group.reason} group={group} />
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
};

/**
 * Retries all failed runs, or only those that failed for one reason. Repeats the request until the server reports
 * completion.
 *
 * @throws ApiError; the retries scheduled before it still run
 */
const retryFailed = async (reason: Reason | undefined): Promise<void> => {
  const body = reason === undefined ? {} : { reason };
  for (;;) {
    const { retried, isComplete } = await call('POST /v1/processing/retry', { body });
    if (isComplete || retried === 0) return;
  }
};
