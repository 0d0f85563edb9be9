import ThemedImage from '@theme/ThemedImage';
import type { ReactNode } from 'react';
import styles from './home.module.css';
import type { Picture } from './pictures';

interface Props {
  readonly picture: Picture;
  readonly alt: string;
}

/** Screenshot of the app that matches the theme. The size is set in advance, to prevent layout shifts. */
export const AppPicture = ({ picture: { light, dark, width, height }, alt }: Props): ReactNode => (
  <ThemedImage
    sources={{ light, dark }}
    className={width < height ? styles.phonePicture : styles.picture}
    width={width}
    height={height}
    alt={alt}
    loading="lazy"
    decoding="async"
  />
);
