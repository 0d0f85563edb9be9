import { Album, CalendarDays, Camera, Clock, MapPin, Shapes, User } from 'lucide-react';

/** The icon of each kind of what the box offers, and of the filter by it. */
export const offerIcons = {
  person: User,
  place: MapPin,
  thing: Shapes,
  album: Album,
  camera: Camera,
  date: CalendarDays,
  recent: Clock,
} as const;
