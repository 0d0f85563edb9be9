import { FolderUp, Images, Upload } from 'lucide-react';
import { useRef, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { Menu } from '../../components/overlays/Menu.tsx';
import { addFiles } from './addFiles.ts';
import { collectHandles, collectList } from './files/collectFiles.ts';
import { isPlanSettled } from './plan/uploadPlan.ts';
import styles from './UploadButton.module.css';
import { useUploads } from './engine/uploadStore.ts';

/** Chromium's file pickers return handles, which allow resuming after a reload with one click. */
interface Pickers {
  readonly showOpenFilePicker?: (options: { readonly multiple: true }) => Promise<readonly FileSystemHandle[]>;
  readonly showDirectoryPicker?: () => Promise<FileSystemHandle>;
}

/** Attribute that is missing in React's types. */
const wholeFolder = { webkitdirectory: '' };

export const UploadButton = () => {
  const { t, i18n } = useTranslation('uploads');
  const uploads = useUploads();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const pickers = globalThis as Pickers;

  const handleFiles = (): void => {
    const { showOpenFilePicker } = pickers;
    if (showOpenFilePicker === undefined) files.current?.click();
    else void addPicked(showOpenFilePicker({ multiple: true }));
  };
  const handleFolder = (): void => {
    const { showDirectoryPicker } = pickers;
    if (showDirectoryPicker === undefined) folder.current?.click();
    else void addPicked(showDirectoryPicker().then((handle) => [handle]));
  };

  const { bytes, settledBytes } = uploads?.progress ?? { bytes: 0, settledBytes: 0 };
  const isUploading = uploads !== undefined && !isPlanSettled(uploads.plan) && bytes > 0;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(settledBytes / Math.max(1, bytes));
  const label = isUploading ? t('buttonProgress', { percent }) : t('button');
  return (
    <>
      <Menu
        trigger={
          <Button aria-label={label} title={label} className={styles['button']}>
            <Upload aria-hidden size={20} strokeWidth={1.75} />
            <span className={styles['text']}>
              <span className={isUploading ? styles['unseen'] : undefined}>{t('button')}</span>
              {isUploading && <span>{percent}</span>}
            </span>
          </Button>
        }
        items={[
          { label: t('files'), icon: Images, onSelect: handleFiles },
          { label: t('folder'), icon: FolderUp, onSelect: handleFolder },
        ]}
      />
      {/* No `accept`: with it, Android strips locations from pictures, and raw files cannot be chosen. */}
      <input ref={files} type="file" multiple hidden aria-label={t('chooseFiles')} onChange={handleChange} />
      <input ref={folder} type="file" {...wholeFolder} hidden aria-label={t('chooseFolder')} onChange={handleChange} />
    </>
  );
};

async function addPicked(picked: Promise<readonly FileSystemHandle[]>): Promise<void> {
  // The picker rejects when the user cancels it.
  const handles = await picked.catch(() => []);
  if (handles.length > 0) await addFiles(collectHandles(handles));
}

function handleChange({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
  void addFiles(collectList([...(currentTarget.files ?? [])]));
  // Otherwise, choosing the same files again fires no event.
  currentTarget.value = '';
}
