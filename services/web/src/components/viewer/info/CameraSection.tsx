import { Camera } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatLocale } from '../../../lib/i18n/formatLocale.ts';
import type { ViewedItem } from '../item/viewedItem.ts';
import { cameraName } from '../item/cameraName.ts';
import { exposureParts } from '../item/exposure.ts';
import { InfoRow } from './InfoRow.tsx';
import styles from './InfoRow.module.css';

/** With what it was taken, and how. */
export const CameraSection = ({ item }: { readonly item: ViewedItem }) => {
  const { t, i18n } = useTranslation('viewer');
  const camera = cameraName(item);
  const exposure = exposureParts(item, formatLocale(i18n.language));
  if (camera === undefined && exposure.length === 0) return null;
  return (
    <InfoRow icon={Camera} label={t('info.camera')}>
      {camera !== undefined && <p>{camera}</p>}
      {exposure.length > 0 && <p className={styles['muted']}>{exposure.join('  ·  ')}</p>}
    </InfoRow>
  );
};
