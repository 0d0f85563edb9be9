import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../lib/i18n/formats.ts';
import { Meter } from '../../components/page/Meter.tsx';
import { usedBytes } from '../../lib/api/usedBytes.ts';
import { Section } from '../../components/page/Section.tsx';
import { serverQuery } from './queries.ts';
import styles from './AdminPage.module.css';

export const ServerSection = () => {
  const { t, i18n } = useTranslation('admin');
  const { data } = useQuery(serverQuery);
  if (data === undefined) return null;
  const { disk, version } = data;
  const used = usedBytes(disk);
  const size = (bytes: number): string => formatBytes(bytes, i18n.language);
  return (
    <Section title={t('server')}>
      {disk.total === undefined ? (
        <p>{t('used', { used: size(used) })}</p>
      ) : (
        <Meter
          value={used}
          max={disk.total}
          label={t('diskUsedOf', { used: size(used), total: size(disk.total) })}
          details={disk.free === undefined ? undefined : t('diskFree', { free: size(disk.free) })}
        />
      )}
      <p className={styles['version']}>
        {version.gitSha === undefined
          ? t('version', { version: version.version })
          : t('versionOfCommit', { version: version.version, commit: version.gitSha.slice(0, 10) })}
      </p>
    </Section>
  );
};
