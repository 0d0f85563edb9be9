const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';

/** One transparent pixel. */
const nothing = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** A loader of webpack. @throws where Redoc has no such picture any more */
module.exports = (source) => {
  if (!source.includes(logo)) throw new Error(`Redoc no longer asks for ${logo}: this loader may go`);
  return source.replaceAll(logo, nothing);
};
