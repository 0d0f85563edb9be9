import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet } from '@tanstack/react-router';
import { getSession, resumeSession } from '../lib/api/session.ts';
import { RequireSession } from './session/RequireSession.tsx';
import { SearchBox } from '../features/search/suggestions/SearchBox.tsx';
import { UploadButton } from '../features/uploads/UploadButton.tsx';
import { UploadPanel } from '../features/uploads/UploadPanel.tsx';
import { useIsUploading } from '../features/uploads/useIsUploading.ts';
import { AppShell } from './shell/AppShell.tsx';
import { NotFound } from './shell/NotFound.tsx';
import { PageError } from './shell/PageError.tsx';
import { Toasts } from '../components/overlays/Toasts.tsx';

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
