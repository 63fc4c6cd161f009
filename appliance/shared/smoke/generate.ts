import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/amount.ts';
import { readJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { engineBase, modelNames, writesText } from './engine-models.ts';
import { type Answer, exchange } from './exchange.ts';
import { insideOf } from './smoke-test.ts';
import type { SmokeTarget } from './target.ts';

const errorSchema = z.object({ error: z.string().min(1) });

/** The first response loads a model of several gigabytes from disk. Milliseconds. */
const timeout = 300_000;
/**
 * A few tokens are enough for the test. Without a limit Ollama generates up to ten times the context
 * length. Temperature 0 makes the result reproducible: with random sampling, a model may return an
 * empty response.
 */
const options = { num_predict: 8, temperature: 0, seed: 1 };
/** Maximum length of an error in a result, in characters. */
const maxError = 200;

/**
 * Prompts the first model that generates text and fits into memory. Models of the release come first.
 * @param stream whether to stream the response
 * @param note receives each skipped model with the reason
 * @throws LandfallError SERVER_UNFIT when no model fits, or a model does not respond in five minutes
 */
export async function generate(
  target: SmokeTarget,
  stream: boolean,
  note: (text: string) => void,
): Promise<Answer> {
  const tooLarge: string[] = [];
  for (const name of await modelNames(target)) {
    if (!(await writesText(target, name))) {
      note(
        inLanguage({
          en: `skipped ${name}: it does not generate text`,
          zh: `跳过 ${name}：它不生成文本`,
        }),
      );
      continue;
    }
    const answer = await ask(target, name, stream);
    const error = errorIn(answer);
    if (error === undefined || !isTooLarge(error)) return answer;
    const reason = `${name}: ${error.replace(/\s+/g, ' ').slice(0, maxError)}`;
    tooLarge.push(reason);
    note(inLanguage({ en: `skipped ${reason}`, zh: `跳过 ${reason}` }));
  }
  if (tooLarge.length > 0) throw tooSmall(tooLarge.join('; '));
  throw new Error(
    inLanguage({
      en: 'the inference engine has no model that generates text',
      zh: '推理引擎没有能生成文本的模型',
    }),
  );
}

/** Returns why no model can be tested; undefined when one can. */
export async function whyNoModel(target: SmokeTarget): Promise<string | undefined> {
  const names = await modelNames(target);
  for (const name of names) if (await writesText(target, name)) return undefined;
  const { hostedOnly } = insideOf(target);
  if (hostedOnly !== undefined) return hostedOnly;
  return names.length === 0
    ? inLanguage({ en: 'no model is installed', zh: '没有安装模型' })
    : inLanguage({
        en: `no model that generates text is installed, only ${names.join(', ')}`,
        zh: `没有安装能生成文本的模型，只有 ${names.join(', ')}`,
      });
}

async function ask(target: SmokeTarget, model: string, stream: boolean): Promise<Answer> {
  const body = { model, prompt: 'Say hello.', stream, options };
  try {
    return await exchange(`${engineBase(target)}/api/generate`, { body, timeout });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
    throw tooSmall(
      inLanguage({
        en: `${model} did not respond within ${formatDuration(timeout)}`,
        zh: `${model} 没有在 ${formatDuration(timeout)} 内回答`,
      }),
    );
  }
}

/** Returns the error of a response. A streamed response has status 200 and ends with the error. */
function errorIn({ text }: Answer): string | undefined {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  return readJson(errorSchema, last)?.error;
}

function tooSmall(message: string): LandfallError {
  return new LandfallError('SERVER_UNFIT', message, {
    hint: {
      en: 'Pull a smaller model, such as: sudo landfall models pull qwen3:0.6b, or use a server with more memory',
      zh: '下载较小的模型，例如：sudo landfall models pull qwen3:0.6b，或换用内存更大的服务器',
    },
  });
}

/**
 * Ollama's errors for a model that does not fit into memory. Ollama returns no error codes, and its
 * errors include those of llama.cpp, so the texts are matched.
 */
const texts: readonly RegExp[] = [
  // llm/server.go up to 0.24. Newer versions start llama-server, which fails later.
  /requires more system memory/,
  // llm/status.go
  /out[ -]of[ -](?:device )?memory|(?:cuda|hip)Malloc failed|failed to allocate|unable to allocate|allocation failed|(?:not enough|insufficient) memory|ErrorOutOfDeviceMemory/i,
  // llm/llama_server.go: the kernel's OOM killer ends the process while it loads, is idle, or generates.
  /process has terminated: .*signal: killed/,
  /llama-server process no longer running: unknown/,
  /unexpectedly stopped, this may be due to resource limitations/,
  /encountered while running the model: .*unexpected EOF/,
  // llm/llama_server.go: loading through swap takes more than five minutes.
  /timed out waiting for llama[\w -]* to start/,
];

/** Returns whether an error of Ollama means that the model does not fit into memory. */
export function isTooLarge(error: string): boolean {
  return texts.some((text) => text.test(error));
}
