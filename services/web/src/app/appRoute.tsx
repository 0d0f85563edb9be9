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
import { areToastsRequested, subscribeToToasts } from '../components/overlays/toasts.ts';
import { lazyComponent } from '../lib/browser/lazyComponent.ts';

export const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  // Without a layout: these components are the whole page.
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

/** Search parameters of every signed-in page. `item`: id of the item open in the viewer. */
export interface AppSearch {
  readonly item?: string | undefined;
}

/** Returns `value` if it is a non-empty string. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Layout of all signed-in pages. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  validateSearch: (search): AppSearch => ({ item: text(search['item']) }),
  // Not awaited: `RequireSession` waits for the session.
  loader: () => {
    if (getSession().kind === 'unknown') void resumeSession();
  },
  component: function AppLayout() {
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

export const NotFound = () => {
  const { t } = useTranslation();
  return (
    <EmptyState isPage icon={MapPinOff} title={t('notFound.title')} action={<Link to="/">{t('notFound.action')}</Link>}>
      <p>{t('notFound.text')}</p>
    </EmptyState>
  );
};

const ToastViewport = lazyComponent('ToastViewport', () => import('../components/overlays/ToastViewport.tsx'));

/** Shows toasts. The viewport's code is loaded with the first toast. */
const Toasts = () =>
  useSyncExternalStore(subscribeToToasts, areToastsRequested) && (
    <Suspense>
      <ToastViewport />
    </Suspense>
  );
