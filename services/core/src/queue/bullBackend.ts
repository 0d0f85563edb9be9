import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import type { MediaItemJob } from '../config/pipeline.ts';

/** The methods of BullMQ's `Queue` that Hearth uses, which both back ends have. */
export type BullQueue = Pick<
  Queue<MediaItemJob>,
  'add' | 'addBulk' | 'getJobs' | 'getJobCountByTypes' | 'pause' | 'resume' | 'waitUntilReady' | 'getVersion' | 'close'
>;

/** The methods of BullMQ's `Worker` that Hearth uses. */
export type BullWorker = Pick<Worker<MediaItemJob>, 'waitUntilReady' | 'run' | 'pause' | 'resume' | 'close'>;

/** Called with BullMQ errors that reject no caller's promise. */
export type OnBullError = (error: Error) => void;

/** The store of BullMQ's jobs: the differences between PostgreSQL and Redis. */
export interface BullBackend {
  openQueue(name: string, options: Omit<QueueOptions, 'connection'>, onError: OnBullError): BullQueue;
  openWorker(
    name: string,
    process: Processor<MediaItemJob, void>,
    options: Omit<WorkerOptions, 'connection'>,
    onError: OnBullError,
  ): BullWorker;
  /** Resolves when the back end responds and has the tables for BullMQ. Rejects if it is unavailable. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}
