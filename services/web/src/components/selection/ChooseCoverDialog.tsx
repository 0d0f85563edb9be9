import { useTranslation } from 'react-i18next';
import { Button } from '../controls/Button.tsx';
import { Dialog } from '../overlays/Dialog.tsx';
import { ItemPicker } from './ItemPicker.tsx';
import type { MediaSource } from '../../lib/items/mediaSource.ts';

interface Props {
  readonly words: { readonly title: string; readonly label: string; readonly automatic: string };
  readonly source: MediaSource;
  readonly coverMediaItemId: string | undefined;
  /** `null`: choose the cover automatically. */
  readonly onChoose: (id: string | null) => void;
  readonly onClose: () => void;
}

/** Dialog to choose a cover among the items of `source`. One click chooses. */
export const ChooseCoverDialog = ({ words, source, coverMediaItemId, onChoose, onClose }: Props) => {
  const { t } = useTranslation();
  const choose = (id: string | null): void => {
    onChoose(id);
    onClose();
  };
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button variant="quiet" onClick={() => choose(null)}>
            {words.automatic}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
        </>
      }
    >
      <ItemPicker
        source={source}
        label={words.label}
        chosen={new Set(coverMediaItemId === undefined ? [] : [coverMediaItemId])}
        onToggle={choose}
      />
    </Dialog>
  );
};
