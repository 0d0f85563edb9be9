import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { matchLink } from './suggestions/matchLink.ts';
import styles from './NamedMatches.module.css';
import { offerIcons } from './suggestions/offerIcons.ts';
import { useMatches } from './suggestions/useMatches.ts';

/** What of the library is called as was searched for, or which times are meant: it says why things were found, and leads to their own pages. */
export const NamedMatches = ({ q }: { readonly q: string }) => {
  const { t } = useTranslation('search');
  const matches = useMatches(q);
  if (matches.length === 0) return null;
  return (
    <nav aria-label={t('matches')} className={styles['matches']}>
      <span className={styles['label']}>{t('matches')}</span>
      {matches.map((match) => {
        const Icon = offerIcons[match.kind];
        return (
          <Link key={`${match.kind}-${match.id ?? match.value}`} {...matchLink(match)} className={styles['match']}>
            <Icon aria-hidden size={18} strokeWidth={1.75} />
            <span className={styles['name']}>{match.name}</span>
            <span className={styles['kind']}>{t(`kind.${match.kind}`)}</span>
          </Link>
        );
      })}
    </nav>
  );
};
