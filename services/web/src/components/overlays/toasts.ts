import { Toast } from '@base-ui/react/toast';

type Options = Parameters<ReturnType<typeof Toast.createToastManager>['add']>[0];

/** Manager of the viewport. To show a toast, use `toasts`. */
export const toastManager = Toast.createToastManager();

const { promise: isShowing, resolve: startShowingToasts } = Promise.withResolvers<void>();
const listeners = new Set<() => void>();
let isRequested = false;
let count = 0;

/** Called by the viewport once it is subscribed to the manager. */
export { startShowingToasts };

/** Returns whether a toast was ever added. */
export const areToastsRequested = (): boolean => isRequested;

/** Calls `listener` when a toast is added. Returns a function that unsubscribes. */
export const subscribeToToasts = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Toasts of the app: `toasts.add({ title, actionProps: { children, onClick } })`. */
export const toasts = {
  /** Returns the toast's id, for `close`. */
  add: (options: Options): string => {
    count += 1;
    const id = options.id ?? `toast-${count}`;
    void isShowing.then(() => toastManager.add({ ...options, id }));
    isRequested = true;
    for (const listener of listeners) listener();
    return id;
  },
  close: (id: string): void => void isShowing.then(() => toastManager.close(id)),
};
