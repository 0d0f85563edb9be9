import {
  addToAlbum,
  createAlbum,
  deleteAlbum,
  getAlbum,
  listAlbumMediaItems,
  listAlbums,
  listMediaItemAlbums,
  removeFromAlbum,
  updateAlbum,
} from './albums.ts';
import { login, logout, refresh } from './auth.ts';
import { checkMediaItems } from './checkMediaItems.ts';
import type { Route } from './defineRoute.ts';
import { watchEvents } from './events.ts';
import {
  getPlace,
  getThing,
  listMediaItemPlaces,
  listMediaItemThings,
  listPlaceMediaItems,
  listPlaces,
  listThingMediaItems,
  listThings,
  updatePlace,
  updateThing,
} from './explore.ts';
import { addToFavourites, listFavourites, removeFromFavourites } from './favourites.ts';
import { getFeatures } from './features.ts';
import { getFile } from './files.ts';
import { addToHidden, listHidden, removeFromHidden } from './hidden.ts';
import { deleteMediaItem, getMediaItem, listMediaItems, updateMediaItem, uploadMediaItem } from './mediaItems.ts';
import { getDisk, getLiveness, getOpenApiDocument, getReadiness, getVersion } from './system.ts';
import { getTimeline, listMonthMediaItems } from './timeline.ts';
import { addToTrash, listTrash, restoreFromTrash } from './trash.ts';
import { continueUpload, createUpload, deleteUpload, getUpload, getUploadOptions } from './uploads.ts';
import { createUser, deleteUser, getUser, listUsers, updateUser } from './users.ts';
import { listYearsAgo } from './yearsAgo.ts';

/** Every route that the server answers, by its `operationId`. */
export const routes = {
  listMediaItems,
  uploadMediaItem,
  checkMediaItems,
  getMediaItem,
  updateMediaItem,
  deleteMediaItem,
  getUploadOptions,
  createUpload,
  getUpload,
  continueUpload,
  deleteUpload,
  getTimeline,
  listMonthMediaItems,
  listYearsAgo,
  listFavourites,
  addToFavourites,
  removeFromFavourites,
  listHidden,
  addToHidden,
  removeFromHidden,
  listAlbums,
  createAlbum,
  getAlbum,
  updateAlbum,
  deleteAlbum,
  listAlbumMediaItems,
  addToAlbum,
  removeFromAlbum,
  listMediaItemAlbums,
  listPlaces,
  getPlace,
  updatePlace,
  listPlaceMediaItems,
  listMediaItemPlaces,
  listThings,
  getThing,
  updateThing,
  listThingMediaItems,
  listMediaItemThings,
  listTrash,
  addToTrash,
  restoreFromTrash,
  watchEvents,
  getFile,
  login,
  refresh,
  logout,
  getFeatures,
  listUsers,
  createUser,
  getUser,
  updateUser,
  deleteUser,
  getVersion,
  getDisk,
  getLiveness,
  getReadiness,
  getOpenApiDocument,
} as const satisfies Readonly<Record<string, Route>>;
