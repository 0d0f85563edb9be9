import { Album, Compass, EyeOff, Heart, Image, Settings, Trash2 } from 'lucide-react';

/** Where the main navigation leads, in its order; on a small screen the first ones have a place in the bar, the others behind "More". */
export const destinations = [
  { to: '/', label: 'navigation.photos', icon: Image, isMain: true },
  { to: '/explore', label: 'navigation.explore', icon: Compass, isMain: true },
  { to: '/albums', label: 'navigation.albums', icon: Album, isMain: true },
  { to: '/favourites', label: 'navigation.favourites', icon: Heart, isMain: false },
  { to: '/hidden', label: 'navigation.hidden', icon: EyeOff, isMain: false },
  { to: '/trash', label: 'navigation.trash', icon: Trash2, isMain: false },
  { to: '/settings', label: 'navigation.settings', icon: Settings, isMain: false },
] as const;
