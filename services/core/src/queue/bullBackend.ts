import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import type { MediaItemJob } from '../pipeline.ts';

/** The part of BullMQ's `Queue` that is used, which does not depend on the back end. */
export type BullQueue = Pick<
  Queue<MediaItemJob>,
  'add' | 'addBulk' | 'getJobs' | 'getJobCountByTypes' | 'pause' | 'resume' | 'waitUntilReady' | 'getVersion' | 'close'
>;

/** The part of BullMQ's `Worker` that is used. */
export type BullWorker = Pick<Worker<MediaItemJob>, 'waitUntilReady' | 'run' | 'pause' | 'resume' | 'close'>;

/** Called with each error that BullMQ has no promise for. */
export type OnBullError = (error: Error) => void;

/** Where BullMQ keeps the jobs: what differs between PostgreSQL and Redis. */
export interface BullBackend {
  openQueue(name: string, options: Omit<QueueOptions, 'connection'>, onError: OnBullError): BullQueue;
  openWorker(
    name: string,
    process: Processor<MediaItemJob, void>,
    options: Omit<WorkerOptions, 'connection'>,
    onError: OnBullError,
  ): BullWorker;
  /** Resolves when the back end can be asked and has what BullMQ needs; rejects when it is away. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}
