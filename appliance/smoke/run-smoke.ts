import { z } from 'zod';
import type { SmokeResult, SmokeTest } from './smoke-test.ts';
import type { Target } from './target.ts';
import { docsTests } from './tests/docs.ts';
import { engineTests } from './tests/engine.ts';
import { frontEndTests } from './tests/front-ends.ts';
import { gatewayTests } from './tests/gateway.ts';
import { modelTests } from './tests/models.ts';
import { proxyTests } from './tests/proxy.ts';
import { relayTests } from './tests/relay.ts';
import { uiTests } from './tests/ui.ts';

/** What has to work on a server that is up. */
export const smokeTests: readonly SmokeTest[] = [
  ...engineTests,
  ...modelTests,
  ...uiTests,
  ...frontEndTests,
  ...relayTests,
  ...proxyTests,
  ...gatewayTests,
  ...docsTests,
];

/**
 * Runs every test, one after another, whatever becomes of those before.
 * @param heard told of each result as it is there
 */
export async function runSmoke(
  target: Target,
  heard: (result: SmokeResult, index: number) => void = () => {},
  tests: readonly SmokeTest[] = smokeTests,
): Promise<SmokeResult[]> {
  const results: SmokeResult[] = [];
  for (const [index, test] of tests.entries()) {
    const result = await runOne(test, target);
    results.push(result);
    heard(result, index);
  }
  return results;
}

async function runOne(test: SmokeTest, target: Target): Promise<SmokeResult> {
  const { name, title, lookAt, needsOthers } = test;
  const begin = performance.now();
  const ended = (part: Pick<SmokeResult, 'outcome' | 'detail' | 'lookAt'>): SmokeResult => ({
    name,
    title,
    took: Math.round(performance.now() - begin),
    ...(needsOthers ? { needsOthers } : {}),
    ...part,
  });
  try {
    const reason = await test.notFor?.(target);
    if (reason) return ended({ outcome: 'skipped', detail: reason });
    await test.run(target);
    return ended({ outcome: 'passed' });
  } catch (error) {
    return ended({ outcome: 'failed', detail: describe(error), lookAt });
  }
}

/** A failed connection says why in its cause; an answer of the wrong shape says where. */
function describe(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `the answer has another shape: ${issue?.path.join('.')} ${issue?.message}`;
  }
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
