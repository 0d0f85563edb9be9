import { Progress } from '@base-ui/react/progress';
import type { Job } from '@hearth/contract/jobs.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/api/client.ts';
import { Button } from '../../components/controls/Button.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import styles from './JobsSection.module.css';
import { jobsQuery } from './queries.ts';

export const JobItem = ({ job }: { readonly job: Job }) => {
  const { t, i18n } = useTranslation('settings');
  const queryClient = useQueryClient();
  const update = useMutation({
    mutationFn: (status: Job['status']) => call('PUT /v1/jobs/{id}', { params: { id: job.id }, body: { status } }),
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobsQuery.queryKey }),
  });
  const { total, done, failed } = job.progress;
  const isActive = job.status === 'SCHEDULED' || job.status === 'RUNNING';
  const states = {
    SCHEDULED: t('jobScheduled'),
    RUNNING: t('jobRunning'),
    PAUSED: t('jobPaused'),
    COMPLETED: t('jobCompleted'),
    STOPPED: t('jobStopped'),
  } satisfies Record<Job['status'], string>;

  return (
    <li className={styles['job']}>
      <Progress.Root value={total === 0 ? 100 : (done / total) * 100} className={styles['progress']}>
        <div className={styles['line']}>
          <Progress.Label>
            {job.components.map((component) => t(`components.${component}.name`, { ns: 'common' })).join(', ')}
          </Progress.Label>
          <span className={styles['state']}>{states[job.status]}</span>
        </div>
        <Progress.Track className={styles['track']}>
          <Progress.Indicator className={styles['indicator']} />
        </Progress.Track>
        <p className={styles['details']}>
          {t('jobProgress', { done: done.toLocaleString(i18n.language), total: total.toLocaleString(i18n.language) })}
          {failed > 0 && ` · ${t('jobFailed', { count: failed })}`}
          {` · ${new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(new Date(job.createdAt))}`}
        </p>
      </Progress.Root>
      <div className={styles['actions']}>
        {isActive && <Button onClick={() => update.mutate('PAUSED')}>{t('jobPause')}</Button>}
        {job.status === 'PAUSED' && <Button onClick={() => update.mutate('RUNNING')}>{t('jobResume')}</Button>}
        {(isActive || job.status === 'PAUSED') && (
          <Button onClick={() => update.mutate('STOPPED')}>{t('jobStop')}</Button>
        )}
      </div>
    </li>
  );
};
