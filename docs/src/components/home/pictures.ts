import informationDark from '../../../docs/images/home/information-dark.webp';
import informationLight from '../../../docs/images/home/information-light.webp';
import phoneDark from '../../../docs/images/home/phone-dark.webp';
import phoneLight from '../../../docs/images/home/phone-light.webp';
import placesDark from '../../../docs/images/home/places-dark.webp';
import placesLight from '../../../docs/images/home/places-light.webp';
import searchDark from '../../../docs/images/home/search-dark.webp';
import searchLight from '../../../docs/images/home/search-light.webp';
import timelineDark from '../../../docs/images/home/timeline-dark.webp';
import timelineLight from '../../../docs/images/home/timeline-light.webp';

/** Screenshot in both themes, with its size in pixels. */
export interface Picture {
  readonly light: string;
  readonly dark: string;
  readonly width: number;
  readonly height: number;
}

const desktop = { width: 1_280, height: 800 };

export const pictures = {
  timeline: { light: timelineLight, dark: timelineDark, ...desktop },
  search: { light: searchLight, dark: searchDark, ...desktop },
  places: { light: placesLight, dark: placesDark, ...desktop },
  information: { light: informationLight, dark: informationDark, ...desktop },
  phone: { light: phoneLight, dark: phoneDark, width: 390, height: 780 },
} as const satisfies Record<string, Picture>;
