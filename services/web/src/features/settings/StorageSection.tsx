import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../lib/i18n/formatBytes.ts';
import { diskQuery } from './queries.ts';
import { Meter } from '../../components/page/Meter.tsx';
import { Section } from '../../components/page/Section.tsx';

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
        <Meter
          value={disk.used}
          max={disk.total}
          label={t('storageUsedOf', { used: size(disk.used), total: size(disk.total) })}
          details={disk.free === undefined ? undefined : t('storageFree', { free: size(disk.free) })}
        />
      )}
    </Section>
  );
};
