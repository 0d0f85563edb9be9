import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';

/** The tokens of a text, the first being that of its beginning and the last that of its end: at most 77. */
export type Tokenize = (text: string) => readonly number[];

/** The tokens of a text's beginning and end, and how many of all a model takes. */
export const [beginToken, endToken, maxTokens] = [49_406, 49_407, 77] as const;

/**
 * Opens the tokens of CLIP: words in lower case, made of characters by OpenAI's list of merges. All models here share them. A text that spells the
 * name of a token does not get it.
 * @throws Error where a file is not what it should be
 */
export async function openTokens(vocabularyPath: string, mergesPath: string): Promise<Tokenize> {
  const vocabulary = JSON.parse(await readFile(vocabularyPath, 'utf8')) as Record<string, number>;
  const [, ...merges] = (await readFile(mergesPath, 'utf8')).trimEnd().split('\n');
  const tokenizer = new Tokenizer(rulesOf(vocabulary, merges), {});
  return (text) => {
    const { ids } = tokenizer.encode(toLowerCase(text.toWellFormed().normalize('NFC')));
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), endToken];
  };
}

/** Each character for itself, as the tokenizers of Hugging Face do: JavaScript makes a Σ at the end of a word another letter. */
const toLowerCase = (text: string): string => Array.from(text, (character) => character.toLowerCase()).join('');

/** As in the tokenizer.json of https://huggingface.co/openai/clip-vit-base-patch32. */
const rulesOf = (vocab: Readonly<Record<string, number>>, merges: readonly string[]) => ({
  added_tokens: [],
  normalizer: { type: 'Replace', pattern: { Regex: String.raw`\s+` }, content: ' ' },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      {
        type: 'Split',
        pattern: { Regex: String.raw`'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+` },
        behavior: 'Removed',
        invert: true,
      },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
    ],
  },
  post_processor: {
    type: 'RobertaProcessing',
    sep: ['<|endoftext|>', endToken],
    cls: ['<|startoftext|>', beginToken],
    trim_offsets: false,
    add_prefix_space: false,
  },
  decoder: null,
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: '<|endoftext|>',
    continuing_subword_prefix: '',
    end_of_word_suffix: '</w>',
    fuse_unk: false,
    vocab,
    merges,
  },
});
