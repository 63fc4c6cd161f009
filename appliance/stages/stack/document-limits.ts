import { modelSize } from '#contract/bundle/model-files.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { limitsOf, maxUpload, type ServerSize } from '#contract/sizes/limits.ts';
import { inLanguage } from '#contract/text/language.ts';

/** The time in which a server shall read one text, in minutes. */
export const maxReadingMinutes = 15;

/** The sizes of documents that the chat UI accepts. */
export interface DocumentLimits {
  /** Maximum size of a plain text in MB (10^6 bytes): what the server reads in 15 minutes. */
  readonly text: number;
  /** Maximum size of every file in MB, which are MiB here, as in `RAG_FILE_MAX_SIZE`. */
  readonly file: number;
}

/**
 * Bytes of text that one CPU reads in a second, times the size of the embedding model: the work per
 * token grows with the model. Measured with `qwen3-embedding:0.6b` (docs/release/benchmark.md); smaller models
 * are faster than computed.
 */
const readingSpeed = 180e9;
/** Size of the model in Open WebUI's image, in bytes. */
const modelInImage = 90e6;
/** Photos and presentations, which have little text, need as much. MB. */
const minFile = 20;

/**
 * Returns the maximum sizes of documents on a server. Only a text can be as long as its file; a PDF or
 * an Office document has images, fonts and layout, so its limit is ten times as high.
 * @param embedding undefined: Open WebUI uses the model in its image
 */
export function documentLimits(
  embedding: ReleaseModel | undefined,
  server: ServerSize & { readonly gpu?: 'none' | 'nvidia' },
): DocumentLimits {
  if (server.gpu === 'nvidia') return { text: maxUpload, file: maxUpload };
  // Zero: the kernel does not support limits, and the number of CPUs is unknown.
  const cpus = Math.max(1, limitsOf(server).engine.cpus);
  const perSecond = (readingSpeed / (embedding ? modelSize(embedding) : modelInImage)) * cpus;
  const megabytes = (perSecond * maxReadingMinutes * 60) / 1e6;
  const text = Math.min(maxUpload, rounded(megabytes));
  return { text, file: Math.min(maxUpload, Math.max(minFile, Math.floor(text) * 10)) };
}

/** Rounds down to one digit, such as 0.8 or 20. */
function rounded(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Number((Math.floor(value / unit + 1e-9) * unit).toPrecision(1));
}

/** Formats the sizes of documents that the chat UI accepts. */
export function describeDocumentLimits({ text, file }: DocumentLimits): string {
  return inLanguage({
    en: `Documents in the chat: texts up to ${text} MB, other files up to ${file} MB`,
    zh: `聊天中的文档：文本最大 ${text} MB，其他文件最大 ${file} MB`,
  });
}
