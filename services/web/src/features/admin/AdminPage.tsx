import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { type AdminClient, AdminContext } from './adminClient.ts';
import styles from './AdminPage.module.css';
import { AdminSignIn } from './AdminSignIn.tsx';
import { AuditSection } from './AuditSection.tsx';
import { OriginalsSection } from './OriginalsSection.tsx';
import { adminKey } from './queries.ts';
import { ServerSection } from './ServerSection.tsx';
import { UsersSection } from './UsersSection.tsx';

/** Administration of accounts, storage and audit log. Keeps the password in memory, so a reload asks for it again. */
export const AdminPage = () => {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [client, setClient] = useState<AdminClient>();
  useDocumentTitle(t('title'));

  if (client === undefined) return <AdminSignIn onSignedIn={(signedIn) => setClient(signedIn)} />;
  const handleSignOut = (): void => {
    setClient(undefined);
    queryClient.removeQueries({ queryKey: adminKey });
  };
  return (
    <AdminContext value={client}>
      <main className={styles['page']}>
        <PageHeader title={t('title')} actions={<Button onClick={handleSignOut}>{t('signOut')}</Button>} />
        <UsersSection />
        <ServerSection />
        <OriginalsSection />
        <AuditSection />
      </main>
    </AdminContext>
  );
};
