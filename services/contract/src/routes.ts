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
import { listAudit } from './audit.ts';
import { getOriginals } from './originals.ts';
import { changePassword, logInOnce, login, logout, refresh } from './auth.ts';
import { checkMediaItems } from './checkMediaItems.ts';
import type { Route } from './defineRoute.ts';
import {
  dismissDuplicates,
  getDuplicates,
  listDuplicateMediaItems,
  listDuplicates,
  resolveDuplicates,
  restoreDuplicates,
} from './duplicates.ts';
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
import { createJob, getJob, listJobs, updateJob } from './jobs.ts';
import { deleteMediaItem, getMediaItem, listMediaItems, updateMediaItem, uploadMediaItem } from './mediaItems.ts';
import {
  getPerson,
  listMediaItemPeople,
  listPeople,
  listPersonMediaItems,
  mergePeople,
  removeFromPerson,
  returnToPerson,
  separatePeople,
  updatePerson,
} from './people.ts';
import { getProcessing, retryProcessing } from './processing.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';
import { getSharedAlbum, getSharedFile, listSharedMediaItems } from './sharing.ts';
import { getPlacesMap } from './placesMap.ts';
import { getDisk, getLiveness, getOpenApiDocument, getReadiness, getVersion, getWebConfig } from './system.ts';
import { getTimeline, listMonthMediaItems } from './timeline.ts';
import { getThumbnail } from './thumbnails.ts';
import { getTimelineGrid } from './timelineGrid.ts';
import { addToTrash, listTrash, restoreFromTrash } from './trash.ts';
import { continueUpload, createUpload, deleteUpload, getUpload, getUploadOptions } from './uploads.ts';
import { createUser, deleteUser, getUser, listUsers, updateUser } from './users.ts';
import { listSearchSuggestions, listSimilarMediaItems, searchMediaItems } from './search.ts';
import { listYearsAgo } from './yearsAgo.ts';

/** All routes by `operationId`. */
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
  getTimelineGrid,
  listYearsAgo,
  searchMediaItems,
  listSearchSuggestions,
  listSimilarMediaItems,
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
  getPlacesMap,
  getPlace,
  updatePlace,
  listPlaceMediaItems,
  listMediaItemPlaces,
  listThings,
  getThing,
  updateThing,
  listThingMediaItems,
  listMediaItemThings,
  listPeople,
  getPerson,
  updatePerson,
  mergePeople,
  separatePeople,
  removeFromPerson,
  returnToPerson,
  listPersonMediaItems,
  listMediaItemPeople,
  listDuplicates,
  getDuplicates,
  listDuplicateMediaItems,
  resolveDuplicates,
  dismissDuplicates,
  restoreDuplicates,
  getSharedAlbum,
  listSharedMediaItems,
  getSharedFile,
  listTrash,
  addToTrash,
  restoreFromTrash,
  getProcessing,
  retryProcessing,
  listJobs,
  createJob,
  getJob,
  updateJob,
  watchEvents,
  getFile,
  getThumbnail,
  login,
  logInOnce,
  refresh,
  logout,
  changePassword,
  listSessions,
  endOtherSessions,
  endSession,
  getFeatures,
  listUsers,
  createUser,
  getUser,
  updateUser,
  deleteUser,
  listAudit,
  getOriginals,
  getVersion,
  getWebConfig,
  getDisk,
  getLiveness,
  getReadiness,
  getOpenApiDocument,
} as const satisfies Readonly<Record<string, Route>>;
