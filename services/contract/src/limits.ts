/** Up to how many items of a kind are counted when a user asks what is being processed: more is told as "this many or more". */
export const maxProcessingCount = 10_000;

/** Of how many items one request may have what failed tried again: some seconds of the database, in small transactions. */
export const maxRetriedItems = 5_000;

/** How many items a page holds unless asked otherwise, as the specification says. */
export const defaultPageSize = 15;

/** How many items a page may hold. */
export const maxPageSize = 200;

/** The last page that can be asked for: up to here a position in a list, `page` × `limit`, is an exact JavaScript number. */
export const maxPage = Math.floor(Number.MAX_SAFE_INTEGER / maxPageSize);

/** How many items of a month a grid holds at once: more have been taken in a month by few, and as many are two megabytes, compressed. */
export const maxGridItems = 50_000;

/** How many items a month may have to be one section of a timeline: as many are laid out by a slow phone within a tenth of a second. */
export const maxWholeMonthItems = 1000;

/** How many clusters of a map are answered at once: more than a screen of 2560 × 1440 pixels has; what shows more is put together more coarsely. */
export const maxMapClusters = 1000;

/** The nearest zoom of a map: twice as near as at the one before, from 0, where the world is 256 pixels wide. */
export const maxMapZoom = 20;

/** Characters of what is searched for. */
export const maxSearchLength = 256;

/** How many items a search finds at most: the best ones. */
export const maxSearchResults = 1000;

/** How many ids one filter of a search may name. */
export const maxFilterIds = 20;

/** How many suggestions a search box shows at once, unless asked otherwise and at most. */
export const defaultSuggestions = 8;
export const maxSuggestions = 20;

/** How many items of a group of duplicates are shown with it: a row of thumbnails. */
export const maxDuplicatesShown = 4;

/** How many ids one request may name. */
export const maxIdsPerRequest = 1000;

/** How many streams of live updates a user may have open: browsers and devices of one person, each with a few tabs. */
export const maxEventStreams = 20;

/** How many uploads of one user may be unfinished at a time: far above what a client begins at once, and its leftovers of a week. */
export const maxUnfinishedUploads = 1000;

/** A JSON body in bytes: the longest valid one, 1,000 ids or a description written in escapes, takes less than half. */
export const maxJsonBodyBytes = 128 * 1024;

/** Characters of a file name: what ext4, APFS and NTFS hold at most. */
export const maxFilenameLength = 255;

/** Characters of the name of a user, an album or a person. */
export const maxNameLength = 255;

/** Characters of a description: a page of text. */
export const maxDescriptionLength = 4096;

/** Characters of a user name. */
export const maxUsernameLength = 64;

/** Characters of a new password; fewer are guessed too easily (NIST SP 800-63B-4, 3.1.1.2). */
export const minPasswordLength = 8;

/** Characters of a password: far above what any password manager makes, so that hashing one stays cheap to start. */
export const maxPasswordLength = 256;
