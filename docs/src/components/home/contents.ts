import { pictures, type Picture } from './pictures';

/** Feature with a screenshot. */
export interface Feature {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly points: readonly string[];
  readonly picture: Picture;
  readonly alt: string;
  readonly more: { readonly label: string; readonly to: string };
}

export const features: readonly Feature[] = [
  {
    id: 'places',
    title: 'See where you have been',
    text: 'A map and a list of countries and towns show all places in your photos. Place names need no network.',
    points: [
      'Zoom in until you see single photos',
      'Browse by country and town',
      'Visitors of shared albums see no places',
    ],
    picture: pictures.places,
    alt: 'Places: a world map with the number of photos per region, and countries with their towns below',
    more: { label: 'How places work', to: '/docs/user-guide/features/places' },
  },
  {
    id: 'search',
    title: 'Find it by what it shows',
    text: 'Type a name, a place, a date, or what you see in the picture. Hearth searches all of them at once.',
    points: [
      'People and things, recognized on your machine',
      'Text in pictures, such as signs and receipts',
      'Typos and named times, such as “last summer”',
    ],
    picture: pictures.search,
    alt: 'Search results for castle: photos of castles and palaces',
    more: { label: 'How search works', to: '/docs/user-guide/features/search' },
  },
  {
    id: 'information',
    title: 'Keep every original',
    text: 'Hearth stores each file exactly as you uploaded it, and reads what is inside.',
    points: [
      'JPEG, HEIC, RAW, AVIF, JPEG XL and more',
      'Videos that play in every browser',
      'Live Photos and motion photos',
    ],
    picture: pictures.information,
    alt: 'A photo of a Roman aqueduct with its information: date, place, a small map, and the file',
    more: { label: 'Supported formats', to: '/docs/dev-guide/photo-formats' },
  },
  {
    id: 'phone',
    title: 'Use it on every device',
    text: 'The web app runs in the browser of phones, tablets and computers. You can install it like an app.',
    points: [
      'Uploads resume after an interruption',
      'Albums, favourites, hidden photos, duplicates and trash',
      'Share an album by a link; visitors need no account',
    ],
    picture: pictures.phone,
    alt: 'The timeline of Hearth on a phone',
    more: { label: 'All features', to: '/docs/user-guide/introduction#use-your-library' },
  },
];

export const trust: readonly { readonly title: string; readonly text: string }[] = [
  {
    title: 'No confirmed upload is lost',
    text: 'Tests kill every process and server during imports, and count the photos afterwards.',
  },
  {
    title: 'Originals are checked',
    text: 'Hearth reads every original regularly, compares its checksum, and reports damage.',
  },
  {
    title: 'Your photos stay at home',
    text: 'Recognition runs on your machine. Hearth sends nothing about your photos to another server.',
  },
  {
    title: 'Files are opened in a sandbox',
    text: 'With bubblewrap or Landlock, a malicious file cannot reach your other files.',
  },
  {
    title: 'Everything has an API',
    text: 'All functions of the app are in a documented REST API.',
  },
  {
    title: 'You can watch it',
    text: 'Metrics, alerts and dashboards for Prometheus and Grafana are included.',
  },
];

export const missing: readonly string[] = [
  'A phone app with background backup',
  'Importers for Google Photos, Immich and others; you can upload their exported files',
  'Photo editing, and changing dates or places',
  'Single sign-on and end-to-end encryption',
];
