import { Meter } from '@base-ui/react/meter';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../i18n/formatBytes.ts';
import { diskQuery } from './queries.ts';
import { Section } from '../../ui/Section.tsx';
import styles from './StorageSection.module.css';

/** How full the store behind the library is, as far as the server knows. */
export const StorageSection = () => {
  const { t, i18n } = useTranslation('settings');
  const { data: disk } = useQuery(diskQuery);
  const size = (bytes: number): string => formatBytes(bytes, i18n.language);
  if (disk === undefined) return null;
  return (
    <Section title={t('storage')}>
      {disk.total === undefined ? (
        <p>{t('storageUsed', { used: size(disk.used) })}</p>
      ) : (
        <Meter.Root value={disk.used} max={disk.total} className={styles['meter']}>
          <Meter.Label>{t('storageUsedOf', { used: size(disk.used), total: size(disk.total) })}</Meter.Label>
          <Meter.Track className={styles['track']}>
            <Meter.Indicator className={styles['indicator']} />
          </Meter.Track>
          {disk.free !== undefined && <p className={styles['free']}>{t('storageFree', { free: size(disk.free) })}</p>}
        </Meter.Root>
      )}
    </Section>
  );
};
