import Link from '@docusaurus/Link';
import type { ReactNode } from 'react';
import { AppPicture } from './AppPicture';
import type { Feature } from './contents';
import styles from './home.module.css';

/** Text and screenshot of a feature, side by side on wide screens. */
export const FeatureRow = ({
  id,
  title,
  text,
  points,
  picture,
  alt,
  more,
  isReversed,
}: Feature & { readonly isReversed: boolean }): ReactNode => (
  <section className={isReversed ? styles.rowReversed : styles.row} aria-labelledby={id}>
    <div>
      <h2 id={id}>{title}</h2>
      <p>{text}</p>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <p>
        <Link to={more.to}>{more.label}</Link>
      </p>
    </div>
    <AppPicture picture={picture} alt={alt} />
  </section>
);
