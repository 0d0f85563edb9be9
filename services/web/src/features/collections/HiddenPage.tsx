import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EyeOff, Lock } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { callPage } from '../../lib/api/client.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { MediaCollection } from '../../components/viewer/MediaCollection.tsx';
import { useMediaSource } from '../../lib/items/mediaSource.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { PasswordGate } from './PasswordGate.tsx';
import { isUnlocked, lock, subscribeToUnlocked } from './unlocked.ts';

/** Hidden items. Requires entering the password again. */
export const HiddenPage = () => {
  const { t } = useTranslation('collections');
  useDocumentTitle(t('hidden.title'));
  const isOpen = useSyncExternalStore(subscribeToUnlocked, isUnlocked);
  if (isOpen) return <HiddenItems />;
  return (
    <>
      <PageHeader title={t('hidden.title')} />
      <PasswordGate />
    </>
  );
};

const HiddenItems = () => {
  const { t } = useTranslation('collections');
  const client = useQueryClient();
  const source = useMediaSource(listKeys.hidden, (next, signal) =>
    callPage('GET /v1/hidden', { query: { limit: 200 }, next, signal }),
  );
  // Hidden items stay in memory only while they are shown.
  useEffect(() => () => client.removeQueries({ queryKey: listKeys.hidden }), [client]);
  if (source.error !== null && source.items.length === 0) throw source.error;
  return (
    <>
      <PageHeader
        title={t('hidden.title')}
        actions={
          <Button onClick={lock}>
            <Lock aria-hidden size={18} />
            {t('hidden.lock')}
          </Button>
        }
      >
        <p>
          {source.total !== undefined && source.total > 0 && <>{t('items', { count: source.total })}. </>}
          <Link to="/albums" search={{ hidden: true }}>
            {t('hidden.albums')}
          </Link>
        </p>
      </PageHeader>
      <MediaCollection
        source={source}
        label={t('hidden.title')}
        kind={{ name: 'hidden' }}
        empty={
          <EmptyState icon={EyeOff} title={t('hidden.none')}>
            <p>{t('hidden.how')}</p>
          </EmptyState>
        }
      />
    </>
  );
};
