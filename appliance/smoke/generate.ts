import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/duration.ts';
import { engineBase, modelNames, writesText } from './engine-models.ts';
import { type Answer, exchange } from './exchange.ts';
import { insideOf } from './smoke-test.ts';
import type { Target } from './target.ts';
import { isTooLarge } from './too-large.ts';

const errorSchema = z.object({ error: z.string().min(1) });

/** A model of several gigabytes is read from disk for the first answer. Milliseconds. */
const patience = 300_000;
/**
 * A few tokens prove as much as many, and without a limit Ollama generates ten contexts of them. The
 * likeliest ones, so that a server that passed once does not fail the next time by chance: a model
 * may also choose to end at once and say nothing.
 */
const options = { num_predict: 8, temperature: 0, seed: 1 };
/** An error in a result is a sentence. Characters. */
const longestError = 200;

/**
 * Has a model say hello: the first one that writes text and fits into the memory, those of the
 * release before others.
 * @param stream whether the answer is to come piece by piece
 * @param note takes which models were passed over, and why
 * @throws LandfallError SERVER_UNFIT when none fits, or none answers in five minutes
 */
export async function generate(
  target: Target,
  stream: boolean,
  note: (text: string) => void,
): Promise<Answer> {
  const tooLarge: string[] = [];
  for (const name of await modelNames(target)) {
    if (!(await writesText(target, name))) {
      note(`passed over ${name}, which does not write text`);
      continue;
    }
    const answer = await ask(target, name, stream);
    const error = errorIn(answer);
    if (error === undefined || !isTooLarge(error)) return answer;
    const reason = `${name}: ${error.replace(/\s+/g, ' ').slice(0, longestError)}`;
    tooLarge.push(reason);
    note(`passed over ${reason}`);
  }
  if (tooLarge.length > 0) throw tooSmall(tooLarge.join('; '));
  throw new Error('the engine has no model any more that writes text');
}

/** Why no model can be asked; nothing when one can. */
export async function whyNoModel(target: Target): Promise<string | undefined> {
  const names = await modelNames(target);
  for (const name of names) if (await writesText(target, name)) return undefined;
  const { hostedOnly } = insideOf(target);
  if (hostedOnly !== undefined) return hostedOnly;
  return names.length === 0
    ? 'no model was pulled'
    : `no model that writes text was pulled, only ${names.join(', ')}`;
}

async function ask(target: Target, model: string, stream: boolean): Promise<Answer> {
  const body = { model, prompt: 'Say hello.', stream, options };
  try {
    return await exchange(`${engineBase(target)}/api/generate`, { method: 'POST', body, patience });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
    throw tooSmall(`${model} did not answer in ${formatDuration(patience)}`);
  }
}

/** The error of an answer; once it streams, the status is out and the error is its last line. */
function errorIn({ text }: Answer): string | undefined {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  try {
    return errorSchema.parse(JSON.parse(last)).error;
  } catch {
    return undefined;
  }
}

function tooSmall(message: string): LandfallError {
  return new LandfallError('SERVER_UNFIT', message, {
    hint: 'sudo landfall models pull qwen3:0.6b brings a model that is small; a larger one takes a server with more memory',
  });
}
