import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page/Section.tsx';
import { originalsQuery } from './queries.ts';
import { useAdmin } from './adminClient.ts';
import styles from './AdminPage.module.css';

export const OriginalsSection = () => {
  const { t, i18n } = useTranslation('admin');
  const { data } = useQuery(originalsQuery(useAdmin()));
  if (data === undefined) return null;
  const { damaged, missing, completedAt, stoppedAt, stoppedCode, stoppedReason } = data;
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const number = new Intl.NumberFormat(i18n.language);
  const hasFaults = damaged + missing > 0;
  return (
    <Section title={t('originals')} hint={t('originalsHint')}>
      <dl className={styles['sums']}>
        {(['ok', 'unchecked', 'damaged', 'missing', 'repairedRenditions'] as const).map((name) => (
          <div key={name}>
            <dt>{t(`originalsSum.${name}`)}</dt>
            <dd>{number.format(data[name])}</dd>
          </div>
        ))}
      </dl>
      {hasFaults && (
        <p role="alert" className={styles['problem']}>
          {t('originalsFaults')}
        </p>
      )}
      {stoppedAt !== undefined && (
        <p role="alert" className={styles['problem']}>
          {t('originalsStopped', {
            date: date.format(new Date(stoppedAt)),
            reason: stoppedCode === undefined ? (stoppedReason ?? '') : t(`originalsStop.${stoppedCode}`),
          })}
        </p>
      )}
      <p className={styles['completed']}>
        {completedAt === undefined ? (
          t('originalsNeverCompleted')
        ) : (
          <>
            {t('originalsCompleted')} <time dateTime={completedAt}>{date.format(new Date(completedAt))}</time>
          </>
        )}
      </p>
    </Section>
  );
};
