import { UploadFields } from '@hearth/contract/mediaItems.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import { listMediaItems as listRows } from '../../lists/mediaItemLists.ts';
import { markForRemoval } from '../trash/queries.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { readClientTime } from '../../ingest/clientTime.ts';
import { ingestUpload } from '../../ingest/ingestUpload.ts';
import { listFaulty } from '../originals/listFaulty.ts';
import { removeItem } from '../trash/removeItem.ts';
import type { Handlers } from '../../http/handle.ts';
import { reserveSpaceFor, rejectOverQuota, rejectTooLarge } from '../../http/requests/reserveSpace.ts';
import { receiveFile } from '../../http/requests/receiveFile.ts';
import { viewListed } from '../../lists/itemView.ts';
import { presentMediaItemDetails } from '../../lists/mediaItem.ts';
import { toPage, presentMediaItemPage } from '../../lists/mediaItemPage.ts';
import { findByChecksums, getShownItem, updateMediaItem as updateRow, listItemText } from './queries.ts';
import { getOriginalState } from '../originals/queries.ts';
import { setTrashed } from '../../lists/trashed.ts';

const listMediaItems: Handlers['listMediaItems'] = async ({ db, links }, { query, user, req }) => {
  const filter = { visibility: 'visible', type: query.type, category: query.category, status: query.status } as const;
  const page = await listRows(db, user.userId, filter, toPage(query));
  return presentMediaItemPage(links, user, page, query, req.originalUrl);
};

const uploadMediaItem: Handlers['uploadMediaItem'] = async (deps, { user, requestId, req }) => {
  const { maxUploadBytes: maxFileBytes } = deps.config;
  rejectTooLarge(req, maxFileBytes);
  await rejectOverQuota(deps, req, user.userId);
  using reservation = await reserveSpaceFor(deps, req, { ownerId: user.userId, atMostBytes: maxFileBytes });
  const limits = { fileField: 'file', fields: UploadFields, maxFileBytes, ending: reservation.signal };
  const { id, isNew } = await receiveFile(req, limits, ({ fields, ...file }) =>
    ingestUpload(deps, {
      ...file,
      userId: user.userId,
      requestId,
      description: fields.description || undefined,
      creationTime: readClientTime(fields.creationTime),
    }),
  );
  return { status: isNew ? 201 : 200, headers: { Location: `/v1/mediaItems/${id}` }, body: { id } };
};

const checkMediaItems: Handlers['checkMediaItems'] = async (deps, { body: { checksums }, user }) => {
  const originals = await findByChecksums(deps.db, user.userId, checksums);
  const faulty = await listFaulty(deps, user.userId, [...originals.values()]);
  const existing = checksums.flatMap((checksum) => {
    const id = originals.get(checksum.toLowerCase())?.id;
    return id === undefined || faulty.has(id) ? [] : [[checksum, id] as const];
  });
  return { status: 200, body: { existing: Object.fromEntries(existing) } };
};

const getMediaItem: Handlers['getMediaItem'] = async ({ db, links }, { params, user }) => {
  // Reads the runs first, so that the item includes the results of all runs shown as done.
  const runs = await listRuns(db, params.id);
  const { item, isShared } = await getShownItem(db, user.userId, params.id);
  const text = await listItemText(db, item.id);
  const original = await getOriginalState(db, item.id);
  const view = viewListed(links, user, isShared ? [item.id] : []);
  return { status: 200, body: presentMediaItemDetails(view, item, text, runs, original) };
};

const updateMediaItem: Handlers['updateMediaItem'] = async ({ db }, { params, body, user }) => {
  await updateRow(db, user.userId, params.id, body);
  return { status: 204 };
};

const deleteMediaItem: Handlers['deleteMediaItem'] = async (deps, { params, query, user }) => {
  if (!query.permanent) {
    await setTrashed(deps.db, user.userId, [params.id], true);
    return { status: 204 };
  }
  if (!(await markForRemoval(deps.db, user.userId, params.id))) throw new AppError('NOT_IN_TRASH');
  // The item is hidden by now. Housekeeping completes a failed removal.
  await removeItem(deps, { id: params.id, userId: user.userId }).catch((error: unknown) =>
    deps.log.warn({ err: error, mediaItemId: params.id }, 'not removed yet; housekeeping will remove it'),
  );
  return { status: 204 };
};

export const mediaItemHandlers = {
  listMediaItems,
  uploadMediaItem,
  checkMediaItems,
  getMediaItem,
  updateMediaItem,
  deleteMediaItem,
} satisfies Partial<Handlers>;
