import { InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import type { SearchModelName } from '@hearth/core/config/searchModels.ts';
import { openTokenizer, type Tokenize } from '../embeddings/clipTokens.ts';
import type { ModelName } from '../models/models.ts';
import type { Inputs, RunModel, Tensors } from '../pixels/tensor.ts';
import { findModel } from '../store/findModel.ts';
import type { ModelFiles } from '../store/modelStore.ts';
import type { ChosenProvider, InferenceSettings } from './inferenceProtocol.ts';

/** The models of a process. Each is loaded on first use and kept until the process ends. */
export interface Sessions {
  readonly provider: ChosenProvider;
  /** @throws MissingModelError */
  readonly run: RunModel;
  /** Returns the verified files of a model. @throws MissingModelError */
  readonly open: (name: ModelName) => Promise<ModelFiles>;
  /** Returns the tokenizer of a search model. @throws MissingModelError */
  readonly getTokenizer: (model: SearchModelName) => Promise<Tokenize>;
  /** The configured search model. */
  readonly searchModel: SearchModelName;
}

/** Chooses the execution provider. Loads no model yet. */
export async function openSessions({
  store,
  threads,
  provider: wanted,
  searchModel,
}: InferenceSettings): Promise<Sessions> {
  const provider = await chooseProvider(wanted);
  const files = new Map<ModelName, ModelFiles>();
  const sessions = new Map<ModelName, InferenceSession>();
  const tokenizers = new Map<SearchModelName, Tokenize>();
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
    getTokenizer: async (model) => {
      const cached = tokenizers.get(model);
      if (cached !== undefined) return cached;
      const [, vocabulary, merges] = (await open(`${model}-text`)).paths;
      const opened = await openTokenizer(vocabulary!, merges!);
      tokenizers.set(model, opened);
      return opened;
    },
    run: async (name, inputs, wanted) => {
      const session = await load(name);
      const outputs = await session.run(toFeeds(inputs), wanted ?? session.outputNames);
      return Object.fromEntries(
        Object.entries(outputs).map(([output, tensor]) => [
          output,
          { data: tensor.data as Float32Array, dims: tensor.dims },
        ]),
      ) satisfies Tensors;
    },
  };
}

const toFeeds = (inputs: Inputs): Record<string, Tensor> =>
  Object.fromEntries(
    Object.entries(inputs).map(([input, { data, dims }]) => [
      input,
      data instanceof Float32Array ? new Tensor('float32', data, dims) : new Tensor('int64', data, dims),
    ]),
  );

/** Returns the requested provider if a model can be opened with it, otherwise the CPU and the reason. */
export async function chooseProvider(wanted: string): Promise<ChosenProvider> {
  const supported = listSupportedBackends().map(({ name }) => name);
  if (!supported.includes(wanted))
    return {
      name: 'cpu',
      problem: `onnxruntime-node does not support ${wanted} here; it supports ${supported.join(', ')}.`,
    };
  if (wanted === 'cpu') return { name: wanted };
  try {
    // A missing library or device shows only when a model is opened.
    await (
      await InferenceSession.create(smallestModel, { executionProviders: [wanted], logSeverityLevel: 4 })
    ).release();
    return { name: wanted };
  } catch (error) {
    return { name: 'cpu', problem: `${wanted} is not usable: ${(error as Error).message}` };
  }
}

/** A model with one operation, y = max(0, x), as ONNX (https://onnx.ai/onnx/repo-docs/IR.html). */
const smallestModel = Buffer.from(
  'CAg6MwoMCgF4EgF5IgRSZWx1EgFnWg8KAXgSCgoICAESBAoCCAFiDwoBeRIKCggIARIECgIIAUICEA0=',
  'base64',
);

const loadModel = (path: string, threads: number, provider: string): Promise<InferenceSession> =>
  InferenceSession.create(path, {
    // The CPU runs operations that the provider does not support.
    executionProviders: provider === 'cpu' ? ['cpu'] : [provider, 'cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Pictures differ in size, so cached memory rarely fits the next one, and grows.
    enableCpuMemArena: false,
    enableMemPattern: false,
    // Errors only; they are also thrown.
    logSeverityLevel: 3,
    // Idle threads sleep instead of spinning, which leaves their cores to others.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
