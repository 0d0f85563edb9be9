import { InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import type { ModelName } from '../models/models.ts';
import type { RunModel, Tensors } from '../pixels/tensor.ts';
import { findModel } from '../store/findModel.ts';
import type { ModelFiles } from '../store/modelStore.ts';
import type { ChosenProvider, InferenceSettings } from './inferenceProtocol.ts';

/** The models of a process, each of which is loaded when it is first used and kept until the process ends. */
export interface Sessions {
  readonly provider: ChosenProvider;
  /** Runs a model. @throws MissingModelError */
  readonly run: RunModel;
  /** The files of a model, verified. @throws MissingModelError */
  readonly open: (name: ModelName) => Promise<ModelFiles>;
}

/** Chooses the execution provider, and loads nothing yet. */
export async function openSessions({ store, threads, provider: wanted }: InferenceSettings): Promise<Sessions> {
  const provider = await chooseProvider(wanted);
  const files = new Map<ModelName, ModelFiles>();
  const sessions = new Map<ModelName, InferenceSession>();
  const open = async (name: ModelName): Promise<ModelFiles> => {
    const found = files.get(name) ?? (await findModel(store, name));
    files.set(name, found);
    return found;
  };
  const load = async (name: ModelName): Promise<InferenceSession> => {
    const loaded = sessions.get(name) ?? (await loadModel((await open(name)).paths[0]!, threads, provider.name));
    sessions.set(name, loaded);
    return loaded;
  };
  return {
    provider,
    open,
    run: async (name, inputs) => {
      const session = await load(name);
      const feeds = Object.entries(inputs).map(
        ([input, { data, dims }]) => [input, new Tensor('float32', data, dims)] as const,
      );
      const outputs = await session.run(Object.fromEntries(feeds));
      return Object.fromEntries(
        Object.entries(outputs).map(([output, tensor]) => [
          output,
          { data: tensor.data as Float32Array, dims: tensor.dims },
        ]),
      ) satisfies Tensors;
    },
  };
}

/** The provider that is wanted where a model can be opened with it, else the CPU and the reason. */
export async function chooseProvider(wanted: string): Promise<ChosenProvider> {
  const known = listSupportedBackends().map(({ name }) => name);
  if (!known.includes(wanted))
    return { name: 'cpu', problem: `onnxruntime-node has no ${wanted} here; it knows ${known.join(', ')}.` };
  if (wanted === 'cpu') return { name: wanted };
  try {
    // Its library and its device may be missing, which shows when a model is opened with it.
    await (
      await InferenceSession.create(smallestModel, { executionProviders: [wanted], logSeverityLevel: 4 })
    ).release();
    return { name: wanted };
  } catch (error) {
    return { name: 'cpu', problem: `${wanted} cannot be used: ${(error as Error).message}` };
  }
}

/** A model of one operation, y = max(0, x), in the format of ONNX (https://onnx.ai/onnx/repo-docs/IR.html). */
const smallestModel = Buffer.from(
  'CAg6MwoMCgF4EgF5IgRSZWx1EgFnWg8KAXgSCgoICAESBAoCCAFiDwoBeRIKCggIARIECgIIAUICEA0=',
  'base64',
);

const loadModel = (path: string, threads: number, provider: string): Promise<InferenceSession> =>
  InferenceSession.create(path, {
    // What a provider lacks, the CPU computes.
    executionProviders: provider === 'cpu' ? ['cpu'] : [provider, 'cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Pictures differ in size: memory that is kept for the last one fits the next one rarely, and grows.
    enableCpuMemArena: false,
    enableMemPattern: false,
    // Errors alone: they are thrown too.
    logSeverityLevel: 3,
    // A thread that has nothing to do sleeps, and leaves its core to the others.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
