import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import type { MediaItemJob } from '../config/pipeline.ts';

/** The methods of BullMQ's `Queue` that Hearth uses: the same on both back ends. */
export type BullQueue = Pick<
  Queue<MediaItemJob>,
  'add' | 'addBulk' | 'getJobs' | 'getJobCountByTypes' | 'pause' | 'resume' | 'waitUntilReady' | 'getVersion' | 'close'
>;

/** The methods of BullMQ's `Worker` that Hearth uses. */
export type BullWorker = Pick<Worker<MediaItemJob>, 'waitUntilReady' | 'run' | 'pause' | 'resume' | 'close'>;

/** Called with each error of BullMQ's that no promise of a caller rejects with. */
export type OnBullError = (error: Error) => void;

/** The back end in which BullMQ keeps the jobs: all that differs between PostgreSQL and Redis. */
export interface BullBackend {
  openQueue(name: string, options: Omit<QueueOptions, 'connection'>, onError: OnBullError): BullQueue;
  openWorker(
    name: string,
    process: Processor<MediaItemJob, void>,
    options: Omit<WorkerOptions, 'connection'>,
    onError: OnBullError,
  ): BullWorker;
  /** Resolves when the back end answers and has the tables that BullMQ needs; rejects when it is away. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}
