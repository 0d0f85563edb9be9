import type { ComponentRun } from '@hearth/contract/mediaItem.ts';
import { ChevronDown, Workflow } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { getReasonText } from '../item/getReasonText.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './FoldedSection.module.css';

/** Processing steps with their states, and reasons for those not done. */
export const ProcessingSection = ({ runs }: { readonly runs: readonly ComponentRun[] }) => {
  const { t } = useTranslation('viewer');
  return (
    <InfoRow icon={Workflow} label={t('info.processing')}>
      <details className={styles['details']}>
        <summary className={styles['summary']}>
          {t('info.processing')}
          <ChevronDown aria-hidden size={20} className={styles['chevron']} />
        </summary>
        <ul className={styles['steps']}>
          {runs.map((run) => (
            <Step key={run.component} run={run} />
          ))}
        </ul>
      </details>
    </InfoRow>
  );
};

const Step = ({ run }: { readonly run: ComponentRun }) => {
  const { t } = useTranslation('viewer');
  const { component, state, attempts, reason, progress, warnings = [] } = run;
  const stateText =
    state === 'RUNNING' && progress !== undefined ? t('states.progress', { percent: progress }) : t(`states.${state}`);
  const notes = [
    ...(reason === undefined || reason === 'NOT_APPLICABLE' ? [] : [getReasonText(t, reason)]),
    ...warnings.map((warning) => t(`warnings.${warning}`, { defaultValue: '' })),
    ...(attempts > 1 ? [t('info.attempts', { count: attempts })] : []),
  ].filter((note) => note !== '');
  return (
    <li>
      <p className={styles['step']}>
        <span>{t(`components.${component}.ofItem`, { ns: 'common', defaultValue: component })}</span>
        <span className={styles['state']} data-state={state}>
          {stateText}
        </span>
      </p>
      {notes.map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
    </li>
  );
};
