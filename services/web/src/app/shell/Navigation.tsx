import { Link, useRouter } from '@tanstack/react-router';
import type { ParseKeys } from 'i18next';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu } from '../../components/overlays/Menu.tsx';
import type { Messages } from '../../locales/messages.ts';
import styles from './Navigation.module.css';

/** Namespaces of navigation labels: `common`, or another one as a prefix, as in `albums:title`. */
type LabelFiles = readonly ['common', ...(keyof Messages)[]];

interface NavigationEntry {
  readonly label: ParseKeys<LabelFiles>;
  readonly icon: LucideIcon;
  /** True: in the bar of a small screen. False: in its "More" menu. */
  readonly isMain: boolean;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly navigation?: NavigationEntry;
  }
}

/**
 * Main navigation: next to the page, or below it on small screens. Lists the routes with `staticData.navigation`, in
 * their order.
 */
export const Navigation = () => {
  const { t } = useTranslation<LabelFiles>();
  const destinations = useDestinations();
  return (
    <nav className={styles['navigation']} aria-label={t('mainNavigation')}>
      {destinations.map(({ to, label, icon: Icon, isMain }) => (
        <Link
          key={to}
          to={to}
          className={`${styles['destination']} ${isMain ? '' : styles['onlyWide']}`}
          activeOptions={{ exact: to === '/', includeSearch: false }}
        >
          <Icon aria-hidden size={22} strokeWidth={1.75} />
          <span>{t(label)}</span>
        </Link>
      ))}
      <Menu
        side="top"
        trigger={
          <button type="button" className={`${styles['destination']} ${styles['onlySmall']}`}>
            <Ellipsis aria-hidden size={22} strokeWidth={1.75} />
            <span>{t('navigation.more')}</span>
          </button>
        }
        items={destinations
          .filter(({ isMain }) => !isMain)
          .map(({ to, label, icon }) => ({ to, label: t(label), icon }))}
      />
    </nav>
  );
};

interface Destination extends NavigationEntry {
  readonly to: '/';
}

const useDestinations = (): readonly Destination[] =>
  Object.values(useRouter().routesById).flatMap(({ fullPath, options: { staticData } }) =>
    // Pages in the navigation have no path parameters. The cast to one such path satisfies the types of `Link`.
    staticData?.navigation === undefined ? [] : [{ to: fullPath as '/', ...staticData.navigation }],
  );
