import { LandfallError } from '#contract/errors.ts';
import { runSmoke } from '#smoke/run-smoke.ts';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import type { Target } from '#smoke/target.ts';
import { registerModels } from '#smoke/ui-models.ts';
import type { Reporter } from '../progress/reporter.ts';

/**
 * Runs the smoke tests of a server on a preview.
 * @returns the results; a failed one needs an external service or a larger computer
 * @throws LandfallError SMOKE_FAILED for any other failure
 */
export async function smokePreview(
  target: Target,
  project: string,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<SmokeResult[]> {
  const models = (target.inside?.models ?? []).map(({ name, role = 'chat' }) => ({ name, role }));
  // As the stage `models` of a server does. If it fails, a smoke test says so.
  await registerModels(target, models).catch(() => []);
  reporter.step('running the smoke tests');
  const results = await runSmoke(target, ({ outcome, title, detail }) => {
    signal.throwIfAborted();
    if (outcome === 'failed') reporter.note(`test failed: ${title}: ${detail}`);
  });
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const own = failed.filter((result) => !result.needsOthers && !result.beyondServer);
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  reporter.note(`${passed} of ${passed + failed.length} smoke tests passed`);
  if (own.length === 0) return results;
  throw new LandfallError('SMOKE_FAILED', `${own.length} smoke tests failed`, {
    hint: `See the logs: docker compose --project-name ${project} logs --tail 50`,
    problems: own.map(({ title, detail }) => ({ message: `test failed: ${title}: ${detail}` })),
  });
}
