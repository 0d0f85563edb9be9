import { Link, useRouter } from '@tanstack/react-router';
import type { ParseKeys } from 'i18next';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu } from '../../components/overlays/Menu.tsx';
import type { Messages } from '../../locales/messages.ts';
import styles from './Navigation.module.css';

/** The files of words that a label may come from: `common`, or another one by its name, as in `albums:title`. */
type LabelFiles = readonly ['common', ...(keyof Messages)[]];

/** The place of a page in the main navigation. */
interface NavigationEntry {
  readonly label: ParseKeys<LabelFiles>;
  readonly icon: LucideIcon;
  /** True: in the bar of a small screen. False: behind "More" there. */
  readonly isMain: boolean;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly navigation?: NavigationEntry;
  }
}

/** The main navigation: next to the page, or below it on a small screen. Its entries come from the routes, in their order. */
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
    // A page of the navigation has no parameters, so every such path is as good as this one.
    staticData?.navigation === undefined ? [] : [{ to: fullPath as '/', ...staticData.navigation }],
  );
