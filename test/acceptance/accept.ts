import { z } from 'zod';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import type { AcceptanceServer } from './acceptance-server.ts';

/** The console shows one line per stage; `report` is the last one. */
const ended = /\] +report: (?:done|unchanged)|\] +[a-z]+: FAILED/;

const results = z
  .array(z.looseObject({ name: z.string(), outcome: z.enum(['passed', 'failed', 'skipped']) }))
  .min(1);

/**
 * Waits for the first boot of a server, and runs its smoke tests.
 * @param limit seconds for the first boot
 * @returns the results, none of which failed
 * @throws Error with the end of the console for a failed stage or a timeout, and with the names of
 * failed smoke tests
 */
export async function accept(server: AcceptanceServer, limit: number): Promise<SmokeResult[]> {
  // Over the console: logins before the account exists would count for a ban.
  const [line] = await Promise.race([
    server.console.waitFor(ended, { limit }),
    switchedOff(server),
  ]);
  if (line.endsWith('FAILED')) {
    const last = (await server.console.text()).split('\n').slice(-60).join('\n');
    throw new Error(`the first boot failed: ${line}\n${last}`);
  }
  const { stdout, stderr, exitCode } = await server.run('landfall smoke --json');
  const parsed = results.safeParse(jsonIn(stdout));
  if (!parsed.success) {
    throw new Error(`landfall smoke failed with exit code ${exitCode}: ${stderr}${stdout}`);
  }
  const failed = parsed.data.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0 || exitCode !== 0) {
    throw new Error(`smoke tests failed: ${failed.map(({ name }) => name).join(', ')}\n${stdout}`);
  }
  return parsed.data as unknown as SmokeResult[];
}

/** Fails as soon as the machine is off. */
async function switchedOff(server: AcceptanceServer): Promise<never> {
  if (!server.ended) return await new Promise<never>(() => {});
  await server.ended;
  throw new Error(`the machine is off\n${(await server.console.text()).slice(-4000)}`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
