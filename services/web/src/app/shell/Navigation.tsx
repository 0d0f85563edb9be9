import { Link } from '@tanstack/react-router';
import { Ellipsis, Album, Compass, EyeOff, Heart, Image, Settings, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu } from '../../components/overlays/Menu.tsx';
import styles from './Navigation.module.css';

/** The main navigation: beside the page, or below it on a small screen. */
export const Navigation = () => {
  const { t } = useTranslation();
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

/** Where the main navigation leads, in its order; on a small screen the first ones have a place in the bar, the others behind "More". */
const destinations = [
  { to: '/', label: 'navigation.photos', icon: Image, isMain: true },
  { to: '/explore', label: 'navigation.explore', icon: Compass, isMain: true },
  { to: '/albums', label: 'navigation.albums', icon: Album, isMain: true },
  { to: '/favourites', label: 'navigation.favourites', icon: Heart, isMain: false },
  { to: '/hidden', label: 'navigation.hidden', icon: EyeOff, isMain: false },
  { to: '/trash', label: 'navigation.trash', icon: Trash2, isMain: false },
  { to: '/settings', label: 'navigation.settings', icon: Settings, isMain: false },
] as const;
