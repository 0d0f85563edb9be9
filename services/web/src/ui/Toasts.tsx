import { lazy, Suspense, useSyncExternalStore } from 'react';
import { areToastsWanted, subscribeToToasts } from './toasts.ts';
import { loadCode } from './loadCode.ts';

const ToastViewport = lazy(async () => ({ default: (await loadCode(import('./ToastViewport.tsx'))).ToastViewport }));

/** Shows short messages, with what undoes an action, from the first one on. */
export const Toasts = () =>
  useSyncExternalStore(subscribeToToasts, areToastsWanted) && (
    <Suspense>
      <ToastViewport />
    </Suspense>
  );
