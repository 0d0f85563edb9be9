import { Link } from '@tanstack/react-router';
import { Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { uploadEngine } from './uploadStore.ts';

/** Takes what another app shared with the installed app. */
export const ShareTargetPage = () => {
  const { t } = useTranslation('upload');
  const [taken, setTaken] = useState<number | 'failed'>();
  useEffect(() => {
    uploadEngine()
      .then(async (engine) => engine.addShared())
      .then(
        (count) => setTaken((before) => (typeof before === 'number' ? before + count : count)),
        () => setTaken('failed'),
      );
  }, []);

  const text = (): string => {
    if (taken === undefined) return t('shared.taking');
    if (taken === 'failed') return t('failedToStart');
    return taken === 0 ? t('shared.nothing') : t('shared.taken', { count: taken });
  };
  return (
    <EmptyState isPage icon={Share2} title={t('shared.title')} action={<Link to="/">{t('shared.action')}</Link>}>
      <p role="status">{text()}</p>
    </EmptyState>
  );
};
