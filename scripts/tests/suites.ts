/** Some of the test files, run together. */
export interface Suite {
  readonly name: 'tests' | 'stories' | 'faults' | 'cluster';
  readonly has: (file: string) => boolean;
  /** How many run at once: most of them wait most of the time, and those that measure how long something takes wait for fewer others. */
  readonly filesPerCore: number;
  /** Whether `--suite all` leaves it out, since it needs what the machine does not bring, and its files run one after another. */
  readonly isApart?: boolean;
}

/** Test files, by what their path begins with, that `npm run test:faults` runs and `npm test` leaves out. */
export const faultSuites: readonly { readonly path: string; readonly reason: string }[] = [
  { path: 'charts/hearth/tests/controlPlane', reason: 'starts a Kubernetes API server' },
  { path: 'docs/testing/commands', reason: 'runs the commands of the guide on a whole installation' },
  { path: 'tests/faults/', reason: 'starts, kills and starves whole installations' },
  { path: 'tests/fuzz/fuzz.fault.test.ts', reason: 'sends what no client sends to a whole installation' },
  { path: 'load-tests/k6/spike', reason: 'waits for a burst, and for the end of its workers' },
  { path: 'tests/media/mediaSet', reason: 'imports the whole media set' },
  { path: 'tests/monitoring/dashboards', reason: 'watches an installation under a load' },
  { path: 'tests/phone/', reason: 'imports a phone into a whole installation' },
  { path: 'tests/stories/', reason: 'plays the stories on whole installations' },
  { path: 'operators/queue-scaler/src/controlPlane', reason: 'starts a Kubernetes API server' },
  { path: 'operators/queue-scaler/src/handOver', reason: 'waits until leases have run out' },
  { path: 'operators/queue-scaler/src/manyOnControlPlane', reason: 'starts a Kubernetes API server' },
  { path: 'operators/queue-scaler/src/manyScalers', reason: 'waits for many turns of the operator' },
  { path: 'operators/queue-scaler/src/misbehav', reason: 'waits for whatever an API server may do wrong' },
  { path: 'operators/queue-scaler/src/redisOutage', reason: 'takes the servers of queues away' },
  { path: 'operators/queue-scaler/src/refusals', reason: 'waits until what was refused is tried again' },
  { path: 'services/api/src/http/brokenBackEnds', reason: 'kills and freezes what the API stands on' },
  { path: 'services/api/src/http/cutUploads', reason: 'cuts uploads at every moment' },
  { path: 'services/api/src/http/fullDisk', reason: 'fills the disk' },
  { path: 'services/api/src/http/isolation', reason: 'calls every route some hundred times' },
  { path: 'services/api/src/http/leaks', reason: 'reads everything that the processes write' },
  { path: 'services/api/src/http/mangledBackEnds', reason: 'sends garbage in the name of every server' },
  { path: 'services/api/src/http/libraryModel', reason: 'plays long sequences of calls against a model' },
  { path: 'services/api/src/http/loginFloods', reason: 'floods the API' },
  { path: 'services/api/src/housekeeping/removal', reason: 'removes accounts of many items' },
  { path: 'services/api/src/features/originals/repairKilled', reason: 'kills the API at every step' },
  { path: 'services/api/src/features/sharing/sharingLeaks', reason: 'reads every byte of what is shared' },
  { path: 'services/api/src/features/uploads/uploadCuttings', reason: 'cuts uploads at every moment' },
  { path: 'services/core/src/objects/s3Interrupted', reason: 'kills the store while it works' },
  { path: 'services/core/src/objects/s3Radosgw', reason: 'starts Ceph, the second S3 server' },
  { path: 'services/core/src/objects/s3StoreFailures', reason: 'kills, cuts and freezes the store' },
  { path: 'services/worker/src/media/exiftool/exiftoolHostile', reason: 'reads files that are made to harm' },
  { path: 'services/worker/src/media/formats/fuzzFormats', reason: 'decodes mutilated files' },
  { path: 'services/worker/src/media/heif/heifPhoto', reason: 'decodes the HEIFs of the media set' },
  { path: 'services/worker/src/media/previews/mediaSet', reason: 'decodes the whole media set' },
  { path: 'services/worker/src/media/metadata/metadataSet', reason: 'reads the whole media set' },
  { path: 'services/worker/src/media/video/transcodedVideos', reason: 'transcodes videos of every kind' },
];

const isFaultSuite = (file: string): boolean => faultSuites.some(({ path }) => file.startsWith(path));

/** The story in a browser that `npm test` plays too: a family's first visit, uploading, sharing and the trash. */
const storyOfTests = 'services/web/e2e/familyLibrary.test.ts';

/** What drives the web app or the documentation site in Chromium, which `npm run test:stories` runs: most of what each file takes is a browser drawing pages without a GPU. */
const isStory = (file: string): boolean =>
  (file.startsWith('services/web/e2e/') && file !== storyOfTests) ||
  storiesOfSite.some((path) => file.startsWith(path));

/** What of the documentation site needs a browser, further builds, or an installation on which the examples of its reference are tried. */
const storiesOfSite = ['site', 'chrome', 'failures', 'builds']
  .map((name) => `docs/testing/${name}.test.ts`)
  .concat('tests/reference/');

/** What installs the chart on the cluster of KUBECONFIG, which `npm run test:cluster` runs: each file fills the node. */
const isOfCluster = (file: string): boolean => file.startsWith('tests/cluster/') && file !== pureOfCluster;

/** The test there that needs no cluster. */
const pureOfCluster = 'tests/cluster/runHistory.test.ts';

/**
 * Everything that `--suite` can name, in the order of `--suite all`, which is what `.ci/run` runs. One queue for all saved
 * no time, and gave those of the faults that measure how long something takes too many others beside them.
 */
export const suites: readonly Suite[] = [
  { name: 'tests', has: (file) => !isFaultSuite(file) && !isStory(file) && !isOfCluster(file), filesPerCore: 3 },
  { name: 'stories', has: isStory, filesPerCore: 2 },
  { name: 'faults', has: isFaultSuite, filesPerCore: 3 },
  { name: 'cluster', has: isOfCluster, filesPerCore: 1, isApart: true },
];

/**
 * The files that take longest, longest first, as runs list them at their end. They begin first, so that none of them is left to run alone; one that is
 * missing here costs time only.
 */
export const slowFiles: readonly string[] = [
  'docs/testing/site.test.ts',
  'services/api/src/http/isolation.slow.test.ts',
  'tests/media/mediaSet.slow.test.ts',
  'operators/queue-scaler/src/misbehaviour.fault.test.ts',
  'services/web/e2e/uploadsInterrupted.test.ts',
  'services/web/e2e/pictures.test.ts',
  'tests/faults/restart.fault.test.ts',
  'tests/faults/jobsDrill.fault.test.ts',
  'tests/faults/people.fault.test.ts',
  'services/web/e2e/sessions.test.ts',
  'tests/monitoring/dashboards.slow.test.ts',
  'docs/testing/commands.slow.test.ts',
  'services/core/src/objects/s3Radosgw.slow.test.ts',
  'tests/fuzz/fuzz.fault.test.ts',
  'tests/faults/fullDisk.fault.test.ts',
  'services/worker/src/media/formats/fuzzFormats.fault.test.ts',
  'services/api/src/http/leaks.slow.test.ts',
  'operators/queue-scaler/src/misbehavingWatch.fault.test.ts',
  'tests/faults/attackDrill.fault.test.ts',
  'tests/faults/drill.fault.test.ts',
  'services/web/e2e/account.test.ts',
  'services/web/e2e/uploads.test.ts',
  'tests/faults/frozenHolder.fault.test.ts',
  'services/worker/src/media/heif/heifPhoto.slow.test.ts',
  'services/api/src/features/sharing/sharingLeaks.slow.test.ts',
  'tests/stories/playStories.test.ts',
  'tests/faults/poison.fault.test.ts',
  'tests/faults/workerKiller.fault.test.ts',
  'operators/queue-scaler/src/targets.test.ts',
  'tests/faults/silentWorker.fault.test.ts',
  'services/web/e2e/viewer.test.ts',
  'services/worker/src/media/video/transcodedVideos.slow.test.ts',
  'operators/queue-scaler/src/refusals.fault.test.ts',
  'services/web/e2e/people.test.ts',
  'services/api/src/http/cutUploads.fault.test.ts',
  'operators/queue-scaler/src/handOver.slow.test.ts',
  'services/web/e2e/keyboard.test.ts',
  'services/web/e2e/largeText.test.ts',
  'services/api/src/lists/counts.test.ts',
  'services/web/e2e/finding.test.ts',
  'tests/faults/removal.fault.test.ts',
  'tests/reference/examples.test.ts',
  'services/core/src/queue/redisQueues.test.ts',
  'services/web/e2e/keyboardExplore.test.ts',
  'services/web/e2e/familyLibrary.test.ts',
  'services/worker/src/components/transcode/transcode.test.ts',
  'services/worker/src/components/search/search.test.ts',
  'services/api/src/meaning/nearest.test.ts',
  'services/api/src/http/connections.test.ts',
  'services/core/src/queue/postgresQueues.test.ts',
  'services/api/src/features/events/events.test.ts',
  'services/api/src/http/readPlans.test.ts',
  'services/web/e2e/largeMonth.test.ts',
  'services/web/e2e/hostileTexts.test.ts',
  'charts/hearth/tests/rendering.test.ts',
  'services/api/src/features/uploads/uploads.test.ts',
  'services/api/src/features/files/videos.test.ts',
  'services/core/src/objects/s3Store.test.ts',
  'charts/hearth/tests/schemas.test.ts',
  'services/worker/src/components/metadata/hostileMetadata.test.ts',
  'load-tests/k6/runK6.test.ts',
  'docs/testing/builds.test.ts',
  'services/web/e2e/firstStart.test.ts',
  'services/api/src/embedded/postgres/postgres.test.ts',
  'services/core/src/objects/folderStore.test.ts',
  'services/api/src/housekeeping/jobs.test.ts',
  'services/web/e2e/mapTiles.test.ts',
  'services/worker/src/pipeline/transcodePool.test.ts',
  'services/inference/src/secondImplementation.test.ts',
  'services/worker/src/main.test.ts',
  'services/web/e2e/readmePicture.test.ts',
  'docs/testing/failures.test.ts',
  'tests/faults/frozenWorker.fault.test.ts',
  'services/api/src/http/brokenBackEnds.fault.test.ts',
  'operators/queue-scaler/src/redisOutage.fault.test.ts',
  'tests/faults/restore.fault.test.ts',
  'services/api/src/features/jobs/jobPlans.test.ts',
  'services/api/src/http/loginAttempts.test.ts',
  'services/worker/src/pipeline/spareSlot.test.ts',
  'services/web/e2e/builtFiles.test.ts',
  'services/worker/src/media/previews/mediaSet.slow.test.ts',
  'services/api/src/http/awayDependencies.test.ts',
  'services/worker/src/pipeline/videoPool.test.ts',
  'services/worker/src/media/video/transcodeVideo.test.ts',
  'services/worker/src/media/decoder/takenOverLane.test.ts',
  'services/worker/src/media/previews/otherFormats.test.ts',
  'services/api/src/lists/mediaItemListPlans.test.ts',
  'services/api/src/features/places/queries.test.ts',
  'services/core/src/db/answerWatch.test.ts',
  'services/worker/src/pipeline/verifyOriginal.test.ts',
  'services/api/src/features/search/queries.test.ts',
  'services/api/src/http/visitors.test.ts',
  'services/api/src/features/files/fileMemory.test.ts',
  'services/worker/src/media/decoder/decoderPool.test.ts',
  'services/api/src/events/liveUpdates.test.ts',
  'services/api/src/features/uploads/resumableFinish.test.ts',
  'services/api/src/http/everyAnswer.test.ts',
  'services/api/src/housekeeping/housekeeper.test.ts',
];

/** Whether a file shares its process with no other: each of the slow ones, and all that start whole installations. */
export const needsOwnProcess = (file: string): boolean =>
  slowFiles.includes(file) || isFaultSuite(file) || isStory(file) || isOfCluster(file);

/** The slow ones first, the others in the order of their paths. */
export const longestFirst = (files: readonly string[]): string[] => {
  const places = new Map(slowFiles.map((file, index) => [file, index]));
  const placeOf = (file: string): number => places.get(file) ?? slowFiles.length;
  return files.toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
};
