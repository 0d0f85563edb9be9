import { Suspense, useSyncExternalStore } from 'react';
import { areToastsWanted, subscribeToToasts } from './toasts.ts';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';

const ToastViewport = lazyComponent('ToastViewport', () => import('./ToastViewport.tsx'));

/** Shows short messages, with what undoes an action, from the first one on. */
export const Toasts = () =>
  useSyncExternalStore(subscribeToToasts, areToastsWanted) && (
    <Suspense>
      <ToastViewport />
    </Suspense>
  );
