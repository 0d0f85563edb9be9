import { Album, CalendarDays, Clock, MapPin, Shapes, User } from 'lucide-react';

/** The icon of each kind of what the box offers. */
export const offerIcons = {
  person: User,
  place: MapPin,
  thing: Shapes,
  album: Album,
  date: CalendarDays,
  recent: Clock,
} as const;
