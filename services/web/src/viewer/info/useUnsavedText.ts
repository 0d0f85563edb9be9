import { useQueryClient } from '@tanstack/react-query';

const root = 'unsavedDescription';

/** The description of an item that was typed and is not saved yet. It is kept with what the app has loaded, so that it goes with that at sign-out. */
export const useUnsavedText = (
  id: string,
): { readonly get: () => string | undefined; readonly set: (text: string | undefined) => void } => {
  const client = useQueryClient();
  const queryKey = [root, id];
  return {
    get: () => client.getQueryData<string>(queryKey),
    set: (text) => {
      if (text === undefined) return client.removeQueries({ queryKey, exact: true });
      client.setQueryDefaults([root], { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(queryKey, text);
    },
  };
};
