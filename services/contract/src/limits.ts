/** Maximum count per entry of the processing overview. It means "this many or more". */
export const maxProcessingCount = 10_000;

/** Maximum number of items per retry request. The database needs some seconds for them, in small transactions. */
export const maxRetriedItems = 5_000;

/** Default page size, from the specification. */
export const defaultPageSize = 15;

/** Maximum page size. */
export const maxPageSize = 200;

/** Maximum page number: keeps the position in a list, `page` × `limit`, an exact JavaScript number. */
export const maxPage = Math.floor(Number.MAX_SAFE_INTEGER / maxPageSize);

/**
 * Maximum items in a grid response: more than most people take in a month. Compressed, they take two megabytes.
 */
export const maxGridItems = 50_000;

/**
 * Maximum items of a month that is shown as one section of the timeline; longer months are split into days. A slow
 * phone lays out this many items within a tenth of a second.
 */
export const maxWholeMonthItems = 1000;

/**
 * Maximum map clusters per response: more than fit on a screen of 2560 × 1440 pixels. Above it, clusters become larger.
 */
export const maxMapClusters = 1000;

/** Maximum map zoom. At 0 the world is 256 pixels wide, and each step doubles the scale. */
export const maxMapZoom = 20;

/** Maximum characters of a search. */
export const maxSearchLength = 256;

/** Maximum results of a search. Only the best ones are returned. */
export const maxSearchResults = 1000;

/** Maximum ids in a filter of a search. */
export const maxFilterIds = 20;

/** Default number of search suggestions. */
export const defaultSuggestions = 8;

/** Maximum number of search suggestions. */
export const maxSuggestions = 20;

/** Maximum items shown with a group of duplicates: a row of thumbnails. */
export const maxDuplicatesShown = 4;

/** Maximum ids per request. */
export const maxIdsPerRequest = 1000;

/** Maximum live update streams per user: the browsers and devices of one person, each with a few tabs. */
export const maxEventStreams = 20;

/**
 * Maximum unfinished uploads per user: far above what a client starts at the same time, plus its leftovers of a week.
 */
export const maxUnfinishedUploads = 1000;

/** Maximum JSON body in bytes. The longest valid one, 1,000 ids or an escaped description, takes less than half. */
export const maxJsonBodyBytes = 128 * 1024;

/** Maximum characters of a file name: the limit of ext4, APFS and NTFS. */
export const maxFilenameLength = 255;

/** Maximum characters of the name of a user, album or person. */
export const maxNameLength = 255;

/** Maximum characters of a description: a page of text. */
export const maxDescriptionLength = 4096;

/** Maximum characters of a username. */
export const maxUsernameLength = 64;

/** Minimum characters of a new password; shorter ones are too easy to guess (NIST SP 800-63B-4, 3.1.1.2). */
export const minPasswordLength = 8;

/** Maximum characters of a password: far above what password managers generate. Limits the cost of hashing. */
export const maxPasswordLength = 256;
