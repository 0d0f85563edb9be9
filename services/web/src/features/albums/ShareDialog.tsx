import type { Album } from '@hearth/contract/albums.ts';
import { Copy, ExternalLink, Link2Off } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/overlays/Dialog.tsx';
import { Switch } from '../../components/controls/Switch.tsx';
import { TextField } from '../../components/controls/TextField.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import styles from './ShareDialog.module.css';
import { useAlbumChanges } from './useAlbumChanges.ts';

export const ShareDialog = ({ album, onClose }: { readonly album: Album; readonly onClose: () => void }) => {
  const { t } = useTranslation('albums');
  const { update } = useAlbumChanges();
  const [isBusy, setIsBusy] = useState(false);
  const share = async (shared: boolean): Promise<void> => {
    setIsBusy(true);
    await update(album, { shared }, shared ? undefined : t('share.ended'));
    setIsBusy(false);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('share.title', { name: album.name })}
      actions={<Button onClick={onClose}>{t('share.done')}</Button>}
    >
      <Switch
        label={t('share.switch')}
        hint={album.shared ? t('share.on') : t('share.off')}
        isOn={album.shared}
        isDisabled={isBusy}
        onChange={(isOn) => void share(isOn)}
      />
      {album.shared && (
        <>
          {album.shareId !== undefined && <ShareLink address={`${location.origin}/s/${album.shareId}`} />}
          <div className={styles['end']}>
            <p>{t('share.whatEnds')}</p>
            <Button variant="quiet" disabled={isBusy} focusableWhenDisabled onClick={() => void share(false)}>
              <Link2Off aria-hidden size={18} />
              {t('share.end')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
};

const ShareLink = ({ address }: { readonly address: string }) => {
  const { t } = useTranslation('albums');
  const field = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    if (field.current === null) return;
    const isCopied = await copyText(field.current);
    toasts.add({ title: isCopied ? t('share.copied') : t('share.notCopied') });
  };
  return (
    <div className={styles['link']}>
      <TextField
        ref={field}
        label={t('share.link')}
        value={address}
        readOnly
        onFocus={(event) => event.target.select()}
      />
      <div className={styles['buttons']}>
        <Button variant="primary" onClick={() => void copy()}>
          <Copy aria-hidden size={18} />
          {t('share.copy')}
        </Button>
        <a className={styles['open']} href={address} target="_blank" rel="noopener">
          <ExternalLink aria-hidden size={18} />
          {t('share.open')}
        </a>
      </div>
    </div>
  );
};

/**
 * Copies the text of a field to the clipboard. Returns whether it succeeded. Pages without HTTPS have no clipboard API
 * and fall back to `execCommand`.
 */
const copyText = async (field: HTMLInputElement): Promise<boolean> => {
  field.focus();
  field.select();
  if (!('clipboard' in navigator)) return document.execCommand('copy');
  return navigator.clipboard.writeText(field.value).then(
    () => true,
    () => false,
  );
};
