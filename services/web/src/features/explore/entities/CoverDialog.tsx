import { useTranslation } from 'react-i18next';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChooseCoverDialog } from '../../../components/selection/ChooseCoverDialog.tsx';
import type { MediaSource } from '../../../lib/items/mediaSource.ts';
import { call } from '../../../lib/api/client.ts';
import { toasts } from '../../../components/overlays/toasts.ts';

export const CoverDialog = (props: {
  readonly kind: ExploredKind;
  readonly id: string;
  readonly source: MediaSource;
  readonly coverMediaItemId: string | undefined;
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation('explore');
  const setCover = useCover(props.kind, props.id);
  return (
    <ChooseCoverDialog
      words={{ title: t('coverChoose'), label: t('coverChoose'), automatic: t('coverAutomatic') }}
      source={props.source}
      coverMediaItemId={props.coverMediaItemId}
      onChoose={setCover}
      onClose={props.onClose}
    />
  );
};

export type ExploredKind = 'people' | 'places' | 'things';

interface CoverUpdate {
  readonly coverMediaItemId: string | null;
}

const put: Readonly<Record<ExploredKind, (id: string, body: CoverUpdate) => Promise<unknown>>> = {
  people: (id, body) => call('PUT /v1/explore/people/{id}', { params: { id }, body }),
  places: (id, body) => call('PUT /v1/explore/places/{id}', { params: { id }, body }),
  things: (id, body) => call('PUT /v1/explore/things/{id}', { params: { id }, body }),
};

/** Returns a function that sets a cover; `null` lets the server choose it. Shows the outcome in a toast. */
const useCover = (kind: ExploredKind, id: string): ((coverMediaItemId: string | null) => void) => {
  const { t } = useTranslation('explore');
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (coverMediaItemId: string | null) => put[kind](id, { coverMediaItemId }),
    onSuccess: () => toasts.add({ title: t('coverChosen') }),
    onError: () => toasts.add({ title: t('failed.title', { ns: 'common' }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [kind] }),
  });
  return (coverMediaItemId) => mutate(coverMediaItemId);
};
