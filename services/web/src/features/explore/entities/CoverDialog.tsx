import { useTranslation } from 'react-i18next';
import { ChooseCoverDialog } from '../../../components/selection/ChooseCoverDialog.tsx';
import type { MediaSource } from '../../../lib/items/mediaSource.ts';
import { useCover, type ExploredKind } from './useCover.ts';

/** Chooses the cover of a person, place or thing among what it is on. */
export const CoverDialog = (props: {
  readonly kind: ExploredKind;
  readonly id: string;
  readonly source: MediaSource;
  /** The cover until now. */
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
