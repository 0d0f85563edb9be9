import { lazy, Suspense, useSyncExternalStore } from 'react';
import { areToastsWanted, subscribeToToasts } from './toasts.ts';

const ToastViewport = lazy(async () => ({ default: (await import('./ToastViewport.tsx')).ToastViewport }));

/** Shows short messages, with what undoes an action, from the first one on. */
export const Toasts = () =>
  useSyncExternalStore(subscribeToToasts, areToastsWanted) && (
    <Suspense>
      <ToastViewport />
    </Suspense>
  );
