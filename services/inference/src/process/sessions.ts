import { InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import { openTokens, type Tokenize } from '../embeddings/clipTokens.ts';
import type { ModelName } from '../models/models.ts';
import type { Inputs, RunModel, Tensors } from '../pixels/tensor.ts';
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
  /** The tokens of a search model. @throws MissingModelError */
  readonly tokensOf: (model: SearchModelName) => Promise<Tokenize>;
  /** The search model of the installation. */
  readonly searchModel: SearchModelName;
}

/** Chooses the execution provider, and loads nothing yet. */
export async function openSessions({
  store,
  threads,
  provider: wanted,
  searchModel,
}: InferenceSettings): Promise<Sessions> {
  const provider = await chooseProvider(wanted);
  const files = new Map<ModelName, ModelFiles>();
  const sessions = new Map<ModelName, InferenceSession>();
  const tokens = new Map<SearchModelName, Tokenize>();
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
    searchModel,
    open,
    tokensOf: async (model) => {
      const known = tokens.get(model);
      if (known !== undefined) return known;
      const [, vocabulary, merges] = (await open(`${model}-text`)).paths;
      const opened = await openTokens(vocabulary!, merges!);
      tokens.set(model, opened);
      return opened;
    },
    run: async (name, inputs, wanted) => {
      const session = await load(name);
      const outputs = await session.run(feedsOf(inputs), wanted ?? session.outputNames);
      return Object.fromEntries(
        Object.entries(outputs).map(([output, tensor]) => [
          output,
          { data: tensor.data as Float32Array, dims: tensor.dims },
        ]),
      ) satisfies Tensors;
    },
  };
}

const feedsOf = (inputs: Inputs): Record<string, Tensor> =>
  Object.fromEntries(
    Object.entries(inputs).map(([input, { data, dims }]) => [
      input,
      data instanceof Float32Array ? new Tensor('float32', data, dims) : new Tensor('int64', data, dims),
    ]),
  );

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
