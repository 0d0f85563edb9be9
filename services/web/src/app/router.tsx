import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Album, Compass, EyeOff, Heart, Image, Settings, Trash2 } from 'lucide-react';
import { app, NotFound, root, text, type AppSearch } from './appRoute.tsx';
import { readAlbumsSearch } from '../features/albums/albumsSearch.ts';
import { prefetchTimeline } from '../features/timeline/prefetchTimeline.ts';
import { readSearchAddress } from '../features/search/address/searchAddress.ts';
import { UploadButton } from '../features/uploads/UploadButton.tsx';
import { PageError } from './shell/PageError.tsx';
import { loadCode } from '../lib/browser/lazyComponent.ts';

const LibraryPage = lazyRouteComponent(() => loadCode(import('../features/timeline/LibraryPage.tsx')), 'LibraryPage');

const library = createRoute({
  getParentRoute: () => app,
  path: '/',
  staticData: { navigation: { label: 'navigation.photos', icon: Image, isMain: true } },
  // Month in view.
  validateSearch: (search): { readonly at?: string | undefined } => ({ at: text(search['at']) }),
  // Not awaited, as in `app`. Uses no `loaderDeps`: they would create a new match for every month scrolled past.
  loader: ({ context, location }) => void prefetchTimeline(context.queryClient, location.searchStr),
  component: Object.assign(() => <LibraryPage begin={<UploadButton />} />, { preload: LibraryPage.preload }),
});

const search = createRoute({
  getParentRoute: () => app,
  path: '/search',
  validateSearch: readSearchAddress,
  component: lazyRouteComponent(() => loadCode(import('../features/search/SearchPage.tsx')), 'SearchPage'),
});

const similar = createRoute({
  getParentRoute: () => app,
  path: '/similar/$id',
  component: lazyRouteComponent(() => loadCode(import('../features/search/SimilarPage.tsx')), 'SimilarPage'),
});

const favourites = createRoute({
  getParentRoute: () => app,
  path: '/favourites',
  staticData: { navigation: { label: 'navigation.favourites', icon: Heart, isMain: false } },
  component: lazyRouteComponent(() => loadCode(import('../features/collections/FavouritesPage.tsx')), 'FavouritesPage'),
});

const hidden = createRoute({
  getParentRoute: () => app,
  path: '/hidden',
  staticData: { navigation: { label: 'navigation.hidden', icon: EyeOff, isMain: false } },
  component: lazyRouteComponent(() => loadCode(import('../features/collections/HiddenPage.tsx')), 'HiddenPage'),
});

const trash = createRoute({
  getParentRoute: () => app,
  path: '/trash',
  staticData: { navigation: { label: 'navigation.trash', icon: Trash2, isMain: false } },
  component: lazyRouteComponent(() => loadCode(import('../features/collections/TrashPage.tsx')), 'TrashPage'),
});

const albums = createRoute({
  getParentRoute: () => app,
  path: '/albums',
  staticData: { navigation: { label: 'navigation.albums', icon: Album, isMain: true } },
  validateSearch: readAlbumsSearch,
  component: lazyRouteComponent(() => loadCode(import('../features/albums/AlbumsPage.tsx')), 'AlbumsPage'),
});

const album = createRoute({
  getParentRoute: () => app,
  path: '/albums/$albumId',
  component: lazyRouteComponent(() => loadCode(import('../features/albums/AlbumPage.tsx')), 'AlbumPage'),
});

const explore = createRoute({
  getParentRoute: () => app,
  path: '/explore',
  staticData: { navigation: { label: 'navigation.explore', icon: Compass, isMain: true } },
  component: lazyRouteComponent(() => loadCode(import('../features/explore/ExplorePage.tsx')), 'ExplorePage'),
});

const people = createRoute({
  getParentRoute: () => app,
  path: '/people',
  validateSearch: (search): { readonly hidden?: boolean } => (search['hidden'] === true ? { hidden: true } : {}),
  component: lazyRouteComponent(() => loadCode(import('../features/explore/people/PeoplePage.tsx')), 'PeoplePage'),
});

const person = createRoute({
  getParentRoute: () => app,
  path: '/people/$id',
  component: lazyRouteComponent(() => loadCode(import('../features/explore/people/PersonPage.tsx')), 'PersonPage'),
});

const places = createRoute({
  getParentRoute: () => app,
  path: '/places',
  // Map view in the format of `formatMapView`. Default: the whole world.
  validateSearch: (search): { readonly map?: string | undefined } => ({ map: text(search['map']) }),
  component: lazyRouteComponent(() => loadCode(import('../features/explore/places/PlacesPage.tsx')), 'PlacesPage'),
});

const place = createRoute({
  getParentRoute: () => app,
  path: '/places/$id',
  component: lazyRouteComponent(() => loadCode(import('../features/explore/places/PlacePage.tsx')), 'PlacePage'),
});

const things = createRoute({
  getParentRoute: () => app,
  path: '/things',
  component: lazyRouteComponent(() => loadCode(import('../features/explore/ThingsPage.tsx')), 'ThingsPage'),
});

const thing = createRoute({
  getParentRoute: () => app,
  path: '/things/$id',
  component: lazyRouteComponent(() => loadCode(import('../features/explore/ThingPage.tsx')), 'ThingPage'),
});

const yearsAgo = createRoute({
  getParentRoute: () => app,
  path: '/on-this-day',
  component: lazyRouteComponent(() => loadCode(import('../features/explore/YearsAgoPage.tsx')), 'YearsAgoPage'),
});

const duplicates = createRoute({
  getParentRoute: () => app,
  path: '/duplicates',
  validateSearch: (search): { readonly reviewed?: boolean } => (search['reviewed'] === true ? { reviewed: true } : {}),
  component: lazyRouteComponent(() => loadCode(import('../features/duplicates/DuplicatesPage.tsx')), 'DuplicatesPage'),
});

const duplicateGroup = createRoute({
  getParentRoute: () => app,
  path: '/duplicates/$id',
  component: lazyRouteComponent(() => loadCode(import('../features/duplicates/GroupPage.tsx')), 'GroupPage'),
});

const shareTarget = createRoute({
  getParentRoute: () => app,
  path: '/share-target',
  component: lazyRouteComponent(() => loadCode(import('../features/uploads/ShareTargetPage.tsx')), 'ShareTargetPage'),
});

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  staticData: { navigation: { label: 'navigation.settings', icon: Settings, isMain: false } },
  component: lazyRouteComponent(() => loadCode(import('../features/settings/SettingsPage.tsx')), 'SettingsPage'),
});

const accountSettings = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => loadCode(import('../features/settings/SettingsPage.tsx')), 'AccountSettings'),
});

const appearance = createRoute({
  getParentRoute: () => settings,
  path: '/appearance',
  component: lazyRouteComponent(
    () => loadCode(import('../features/settings/AppearanceSection.tsx')),
    'AppearanceSection',
  ),
});

const processing = createRoute({
  getParentRoute: () => settings,
  path: '/processing',
  component: lazyRouteComponent(() => loadCode(import('../features/settings/SettingsPage.tsx')), 'ProcessingSettings'),
});

const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyRouteComponent(() => loadCode(import('../features/settings/SessionsSection.tsx')), 'SessionsSection'),
});

const about = createRoute({
  getParentRoute: () => settings,
  path: '/about',
  component: lazyRouteComponent(() => loadCode(import('../features/settings/SettingsPage.tsx')), 'AboutSection'),
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => loadCode(import('./session/WelcomePage.tsx')), 'WelcomePage'),
});

const sharedAlbum = createRoute({
  getParentRoute: () => root,
  path: '/s/$shareId',
  validateSearch: (search): AppSearch => ({ item: text(search['item']) }),
  component: lazyRouteComponent(() => loadCode(import('../features/sharing/SharedAlbumPage.tsx')), 'SharedAlbumPage'),
});

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: lazyRouteComponent(() => loadCode(import('../features/admin/AdminPage.tsx')), 'AdminPage'),
});

const routeTree = root.addChildren([
  // The main navigation lists its entries in this order.
  app.addChildren([
    library,
    search,
    similar,
    explore,
    people,
    person,
    places,
    place,
    things,
    thing,
    yearsAgo,
    duplicates,
    duplicateGroup,
    albums,
    album,
    favourites,
    hidden,
    trash,
    shareTarget,
    settings.addChildren([accountSettings, appearance, processing, sessions, about]),
  ]),
  welcome,
  sharedAlbum,
  admin,
]);

export const makeRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    // The timeline restores its position from its own search parameter. Its scroll offset is not known when the page
    // opens.
    scrollRestoration: ({ location }) => location.pathname !== '/',
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
