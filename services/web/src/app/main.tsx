import './tokens.css';
import './global.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../lib/api/apiError.ts';
import { subscribeToExpiredLinks } from '../lib/api/session.ts';
import { applyTheme, chosenTheme } from '../lib/browser/theme.ts';
import { startI18n } from '../lib/i18n/i18n.ts';
import { watchExpiredLinks } from '../lib/items/expiredLinks.ts';
import { makeRouter } from './router.tsx';

/** Retries three times, except after a client error (4xx). */
const shouldRetry = (failures: number, error: Error): boolean =>
  failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, staleTime: 30_000 } } });
const renewLinks = (): void => {
  // Inactive queries load again when their page opens. Active ones refetch in place, so that the page does not jump.
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.invalidateQueries();
};
subscribeToExpiredLinks(renewLinks);
watchExpiredLinks(renewLinks);
const router = makeRouter(queryClient);

// Requests the session and the code of the page while the messages load.
void router.load();
applyTheme(chosenTheme());
await startI18n();

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no element #root.');
createRoot(element).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
