import { Meter } from '@base-ui/react/meter';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../i18n/formatBytes.ts';
import { Section } from '../../ui/Section.tsx';
import { serverQuery } from './queries.ts';
import styles from './ServerSection.module.css';

/** How full the store is, and which version of Hearth this is. */
export const ServerSection = () => {
  const { t, i18n } = useTranslation('admin');
  const { data } = useQuery(serverQuery);
  if (data === undefined) return null;
  const { disk, version } = data;
  const size = (bytes: number): string => formatBytes(bytes, i18n.language);
  return (
    <Section title={t('server')}>
      {disk.total === undefined ? (
        <p>{t('used', { used: size(disk.used) })}</p>
      ) : (
        <Meter.Root value={disk.used} max={disk.total} className={styles['meter']}>
          <Meter.Label>{t('diskUsedOf', { used: size(disk.used), total: size(disk.total) })}</Meter.Label>
          <Meter.Track className={styles['track']}>
            <Meter.Indicator className={styles['indicator']} />
          </Meter.Track>
          {disk.free !== undefined && <p className={styles['details']}>{t('diskFree', { free: size(disk.free) })}</p>}
        </Meter.Root>
      )}
      <p className={styles['details']}>
        {version.gitSha === undefined
          ? t('version', { version: version.version })
          : t('versionOfCommit', { version: version.version, commit: version.gitSha.slice(0, 10) })}
      </p>
    </Section>
  );
};
