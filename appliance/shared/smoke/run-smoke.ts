import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { translated } from '#contract/text/translated.ts';
import type { SmokeResult, SmokeTest } from './smoke-test.ts';
import { smokeTests } from './smoke-tests.ts';
import type { SmokeTarget } from './target.ts';

/**
 * Runs the tests in order. A failed test does not stop the others.
 * @param onResult called with each result
 */
export async function runSmoke(
  target: SmokeTarget,
  onResult: (result: SmokeResult, index: number) => void = () => {},
  tests: readonly SmokeTest[] = smokeTests,
): Promise<SmokeResult[]> {
  const results: SmokeResult[] = [];
  for (const [index, test] of tests.entries()) {
    const result = await runOne(test, target);
    results.push(result);
    onResult(result, index);
  }
  return results;
}

/** Maximum length, in characters. */
const maxDetail = 1000;

async function runOne(test: SmokeTest, target: SmokeTarget): Promise<SmokeResult> {
  const { name, title, lookAt, needsOthers } = test;
  const begin = performance.now();
  const notes: string[] = [];
  const ended = ({
    detail,
    ...part
  }: Pick<SmokeResult, 'outcome'> & Partial<SmokeResult>): SmokeResult => ({
    name,
    title,
    took: Math.round(performance.now() - begin),
    ...(needsOthers ? { needsOthers } : {}),
    ...part,
    // May contain text from components and providers, and is printed to root's terminal.
    ...(detail === undefined ? {} : { detail: plainLine(detail, maxDetail) }),
  });
  try {
    const reason = await test.notFor?.(target);
    if (reason) return ended({ outcome: 'skipped', detail: reason });
    await test.run(target, (text) => notes.push(text));
    return ended({
      outcome: 'passed',
      ...(notes.length > 0 ? { detail: notes.join('; ') } : {}),
    });
  } catch (error) {
    const failed = { outcome: 'failed', detail: describe(error) } as const;
    if (!(error instanceof LandfallError) || error.code !== 'SERVER_UNFIT') {
      return ended({ ...failed, lookAt: inLanguage(lookAt) });
    }
    return ended({ ...failed, lookAt: error.hint ?? inLanguage(lookAt), beyondServer: true });
  }
}

/** Returns the message of an error, with its cause or the path of an invalid field. */
function describe(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [problem] = schemaProblems(error.issues);
    return inLanguage({
      en: `unexpected response: ${problem?.message}`,
      zh: `响应不符合预期：${problem?.message}`,
    });
  }
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return translated(`${error.message}${cause}`);
}
