import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Link, Outlet } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Suspense, useSyncExternalStore } from 'react';
import { getSession, resumeSession } from '../lib/api/session.ts';
import { RequireSession } from './session/RequireSession.tsx';
import { SearchBox } from '../features/search/suggestions/SearchBox.tsx';
import { UploadButton } from '../features/uploads/UploadButton.tsx';
import { UploadPanel } from '../features/uploads/UploadPanel.tsx';
import { useIsUploading } from '../features/uploads/engine/uploadStore.ts';
import { AppShell } from './shell/AppShell.tsx';
import { PageError } from './shell/PageError.tsx';
import { EmptyState } from '../components/page/EmptyState.tsx';
import { areToastsWanted, subscribeToToasts } from '../components/overlays/toasts.ts';
import { lazyComponent } from '../lib/browser/lazyComponent.ts';

/** What is around every page. */
export const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  // Nothing is around these: they are the whole page.
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  errorComponent: (props) => (
    <main>
      <PageError {...props} />
    </main>
  ),
});

/** What every page of a person who is signed in has in its address: which item the viewer shows. */
export interface AppSearch {
  readonly item?: string | undefined;
}

/** A text of an address, if it is one and says something. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** What is around every page of a person who is signed in. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  validateSearch: (search): AppSearch => ({ item: text(search['item']) }),
  // Not waited for: `RequireSession` waits for it.
  loader: () => {
    if (getSession().kind === 'unknown') void resumeSession();
  },
  component: function AppOfPerson() {
    const isUploading = useIsUploading();
    const toolbar = [<SearchBox key="search" />, <UploadButton key="upload" />];
    return (
      <RequireSession>
        <AppShell isBusy={isUploading} toolbar={toolbar}>
          <UploadPanel />
        </AppShell>
      </RequireSession>
    );
  },
});

/** What an address without a page shows. */
export const NotFound = () => {
  const { t } = useTranslation();
  return (
    <EmptyState isPage icon={MapPinOff} title={t('notFound.title')} action={<Link to="/">{t('notFound.action')}</Link>}>
      <p>{t('notFound.text')}</p>
    </EmptyState>
  );
};

const ToastViewport = lazyComponent('ToastViewport', () => import('../components/overlays/ToastViewport.tsx'));

/** Shows short messages, with what undoes an action, from the first one on. */
const Toasts = () =>
  useSyncExternalStore(subscribeToToasts, areToastsWanted) && (
    <Suspense>
      <ToastViewport />
    </Suspense>
  );
