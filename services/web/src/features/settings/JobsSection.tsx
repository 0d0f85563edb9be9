import { jobComponentNames } from '@hearth/contract/vocabulary.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { call } from '../../lib/api/client.ts';
import { useFeatures } from '../../lib/api/useFeatures.ts';
import { Button } from '../../components/controls/Button.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import { JobItem } from './JobItem.tsx';
import { jobsQuery } from './queries.ts';
import { Section } from '../../components/page/Section.tsx';
import styles from './JobsSection.module.css';

const pictures = ['PREVIEW_THUMBNAIL'] as const;
const details = ['METADATA', 'PLACES'] as const;
const others = jobComponentNames.filter((name) => ![...pictures, ...details].some((each) => each === name));

/** Reprocessing choices and their components. Each component that supports jobs belongs to one choice. */
const reprocessJobs = [
  { name: 'redoPictures', components: pictures },
  { name: 'redoDetails', components: details },
  { name: 'redoSearch', components: others },
] as const;

/** Starts jobs that reprocess all items, and shows their progress. */
export const JobsSection = () => {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const features = useFeatures();
  const { data: jobs } = useQuery({ ...jobsQuery, enabled: features?.jobs === true });
  const [chosen, setChosen] = useState<(typeof reprocessJobs)[number]['name']>('redoPictures');
  const create = useMutation({
    mutationFn: () =>
      call('POST /v1/jobs', {
        body: { components: [...(reprocessJobs.find(({ name }) => name === chosen)?.components ?? [])] },
      }),
    onError: (error) =>
      toasts.add({
        title:
          error instanceof ApiError && error.code === 'CONFLICT'
            ? t('jobOneAtATime')
            : t('failed.title', { ns: 'common' }),
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobsQuery.queryKey }),
  });

  if (features?.jobs !== true) return null;
  return (
    <Section title={t('jobs')} hint={t('jobsHint')}>
      <div className={styles['begin']}>
        <label className={styles['choice']}>
          <span className="visually-hidden">{t('jobsWhat')}</span>
          <select value={chosen} onChange={({ target }) => setChosen(target.value as typeof chosen)}>
            {reprocessJobs.map(({ name }) => (
              <option key={name} value={name}>
                {t(name)}
              </option>
            ))}
          </select>
        </label>
        <Button disabled={create.isPending} focusableWhenDisabled onClick={() => create.mutate()}>
          {t('jobBegin')}
        </Button>
      </div>
      <ul className={styles['list']}>
        {jobs?.map((job) => (
          <JobItem key={job.id} job={job} />
        ))}
      </ul>
    </Section>
  );
};
