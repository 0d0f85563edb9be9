import type { StoredFile } from '../../lib/browser/sharedFiles.ts';
import styles from './ShareTargetPage.module.css';

const maxShown = 12;

/** Thumbnails of local image files. Hides those that the browser cannot decode. */
export const FileThumbnails = ({ files }: { readonly files: readonly StoredFile[] }) => (
  <div className={styles['thumbnails']}>
    {files
      .filter(({ file }) => file.type.startsWith('image/'))
      .slice(0, maxShown)
      .map(({ key, file }) => (
        <Thumbnail key={key} file={file} />
      ))}
  </div>
);

const Thumbnail = ({ file }: { readonly file: File }) => (
  <img
    ref={(image) => {
      if (image === null) return undefined;
      const address = URL.createObjectURL(file);
      image.src = address;
      return () => URL.revokeObjectURL(address);
    }}
    alt=""
    width={72}
    height={72}
    onError={({ currentTarget }) => (currentTarget.hidden = true)}
  />
);
