import { createServer, type Server } from 'node:http';
import { createTerminus } from '@godaddy/terminus';
import express, { type Application, type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import { AppError, NotFoundError, UnavailableError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../deps/deps.ts';
import { respondToBrokenRequests, formatResponse, requireHost } from '../http/requests/brokenRequests.ts';
import { errorHandler } from '../http/errorHandler.ts';
import { toExpressPath, handle, type Handler, type Handlers } from '../http/handle.ts';
import { connectionLimits, limitConnections, type ConnectionLimits } from '../http/requests/limitConnections.ts';
import { requestLog, measureRequests } from '../http/requests/requestLog.ts';
import { parseQuery } from '../http/requests/strictText.ts';
import { secureHeaderLines, secureHeaders } from '../http/responses/secureHeaders.ts';
import { serveWeb } from './serveWeb.ts';
import { setTusHeaders } from '../features/uploads/tusHeaders.ts';
import { albumHandlers } from '../features/albums/routes.ts';
import { auditHandlers } from '../features/audit/routes.ts';
import { authHandlers } from '../features/auth/routes.ts';
import { duplicateHandlers } from '../features/duplicates/routes.ts';
import { eventHandlers } from '../features/events/routes.ts';
import { exploreHandlers } from '../features/explore/routes.ts';
import { fileHandlers } from '../features/files/routes.ts';
import { jobHandlers } from '../features/jobs/routes.ts';
import { mediaItemHandlers } from '../features/media-items/routes.ts';
import { peopleHandlers } from '../features/people/routes.ts';
import { placesMapHandlers } from '../features/places/routes.ts';
import { processingHandlers } from '../features/processing/routes.ts';
import { originalsHandlers } from '../features/originals/routes.ts';
import { beingMigrated, systemHandlers } from '../features/system/routes.ts';
import { sharingHandlers } from '../features/sharing/routes.ts';
import { thumbnailHandlers } from '../features/thumbnails/routes.ts';
import { timelineHandlers } from '../features/timeline/routes.ts';
import { trashHandlers } from '../features/trash/routes.ts';
import { favouritesHandlers } from '../features/favourites/routes.ts';
import { hiddenHandlers } from '../features/hidden/routes.ts';
import { searchHandlers } from '../features/search/routes.ts';
import { yearsAgoHandlers } from '../features/years-ago/routes.ts';
import { uploadHandlers } from '../features/uploads/routes.ts';
import { sessionHandlers } from '../features/sessions/routes.ts';
import { userHandlers } from '../features/users/routes.ts';

/** Handlers of all routes in the contract. */
const handlers: Handlers = {
  ...mediaItemHandlers,
  ...uploadHandlers,
  ...timelineHandlers,
  ...yearsAgoHandlers,
  ...searchHandlers,
  ...favouritesHandlers,
  ...hiddenHandlers,
  ...albumHandlers,
  ...processingHandlers,
  ...jobHandlers,
  ...exploreHandlers,
  ...placesMapHandlers,
  ...peopleHandlers,
  ...duplicateHandlers,
  ...sharingHandlers,
  ...trashHandlers,
  ...eventHandlers,
  ...fileHandlers,
  ...thumbnailHandlers,
  ...authHandlers,
  ...sessionHandlers,
  ...userHandlers,
  ...auditHandlers,
  ...originalsHandlers,
  ...systemHandlers,
};

export const createApp = (deps: Deps): Application => {
  const app = express();
  app.disable('etag');
  app.set('query parser', parseQuery);
  app.set('trust proxy', [...deps.config.trustedProxies]);
  app.use(requestLog(deps.log), measureRequests, secureHeaders(deps.config), requireHost);
  app.use('/v1', requireTables(deps));
  app.use('/v1/uploads', setTusHeaders);
  for (const [path, routesOfPath] of routesByPath()) {
    for (const [name, route] of routesOfPath) handle(app, deps, route, handlers[name] as unknown as Handler<Route>);
    const methods = routesOfPath.flatMap(([, { method }]) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    app.all(toExpressPath(path), (_req, res) => {
      res.set('Allow', methods.join(', '));
      throw new AppError('METHOD_NOT_ALLOWED');
    });
  }
  app.use(serveWeb(deps));
  app.use(() => {
    throw new NotFoundError('route');
  });
  // An invalid file address is 404, even if it cannot be decoded.
  app.use(['/v1/files', '/v1/thumbnails', /^\/v1\/sharing\/[^/]+\/files/], ((error, _req, _res, next) => {
    next(error instanceof URIError ? new NotFoundError('file') : error);
  }) satisfies ErrorRequestHandler);
  app.use(errorHandler(deps));
  return app;
};

/** Rejects routes that need the database until it is migrated. */
const requireTables =
  ({ state }: Deps): RequestHandler =>
  (req, _res, next) => {
    if (!state.isMigrated && !/^\/(?:files|thumbnails)\//.test(req.path))
      throw new UnavailableError(beingMigrated, undefined);
    next();
  };

/** Hooks and limits of the server. */
export interface ServeOptions {
  /** Called when shutdown starts, while requests may still be in flight. */
  readonly onStopping?: () => void;
  readonly onStopped: () => Promise<void>;
  readonly connections?: ConnectionLimits;
}

/**
 * Creates a server with graceful shutdown. On a signal it stops being ready and accepts no new connections. It finishes
 * requests in flight within the configured timeout, then calls `onStopped` before the process exits.
 */
export const createApiServer = (
  deps: Deps,
  { onStopping, onStopped, connections = connectionLimits }: ServeOptions,
): Server => {
  const times = { requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 65_000 };
  const app = createApp(deps);
  const server = createServer({ ...times, requireHostHeader: false }, app);
  // Limits silence on a connection: an upload may take hours, but not pause for a minute.
  server.timeout = 60_000;
  const headers = secureHeaderLines(deps.config);
  respondToBrokenRequests(server, headers);
  const isTrusted = app.get('trust proxy fn') as (address: string, hops: number) => boolean;
  limitConnections(
    server,
    connections,
    (address) => isTrusted(address, 0),
    () => formatResponse(new AppError('UNAVAILABLE', undefined, { retryAfterSeconds: 5 }), headers),
  );
  return createTerminus(server, {
    signals: ['SIGTERM', 'SIGINT'],
    useExit0: true,
    timeout: deps.config.stopTimeoutSeconds * 1_000,
    beforeShutdown: async () => {
      deps.state.isStopping = true;
      deps.liveUpdates.stop();
      onStopping?.();
    },
    onSignal: onStopped,
    logger: (message, error) => deps.log.error({ err: error }, message),
  });
};

/** Routes by path. A path with a literal segment goes before one with a parameter in the same place. */
const routesByPath = (): [path: string, routes: [keyof Handlers, Route][]][] => {
  const all = Object.entries(routes) as [keyof Handlers, Route][];
  return [...Map.groupBy(all, ([, { path }]) => path)].toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
};

/** Returns a sort key that puts parameters after letters. */
const rank = (path: string): string => path.replaceAll('{', '\uffff');
