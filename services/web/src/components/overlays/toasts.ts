import { Toast } from '@base-ui/react/toast';

type Options = Parameters<ReturnType<typeof Toast.createToastManager>['add']>[0];

/** What shows the messages, once something does; put messages into `toasts`. */
export const toastManager = Toast.createToastManager();

const { promise: isShowing, resolve: startShowingToasts } = Promise.withResolvers<void>();
const listeners = new Set<() => void>();
let areWanted = false;
let count = 0;

/** Called by what shows messages, as soon as it listens to the manager. */
export { startShowingToasts };

/** Whether there has been a message. */
export const areToastsWanted = (): boolean => areWanted;

/** Calls `listener` at the first message; answers what ends that. */
export const subscribeToToasts = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where any part of the app puts a short message: `toasts.add({ title, actionProps: { children, onClick } })`. */
export const toasts = {
  /** Answers the message's id, for `close`. */
  add: (options: Options): string => {
    count += 1;
    const id = options.id ?? `toast-${count}`;
    void isShowing.then(() => toastManager.add({ ...options, id }));
    areWanted = true;
    for (const listener of listeners) listener();
    return id;
  },
  close: (id: string): void => void isShowing.then(() => toastManager.close(id)),
};
