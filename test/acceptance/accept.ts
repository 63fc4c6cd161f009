import { z } from 'zod';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import type { AcceptanceServer } from './acceptance-server.ts';

/** The console shows one line per stage; `report` is the last one. */
const ended = /\] +report: (?:done|unchanged)|\] +[a-z]+: FAILED/;

const results = z
  .array(z.looseObject({ name: z.string(), outcome: z.enum(['passed', 'failed', 'skipped']) }))
  .min(1);

const diagnosis = z.looseObject({
  findings: z.array(z.looseObject({ code: z.string(), subject: z.string() })),
});

/** Findings that are a fault of the release on this distribution, not of its network or its site. */
const faults = ['APPARMOR_DENIED', 'PACKAGES_BROKEN', 'SERVICE_FAILED'];

/** Prints what was tested: the distribution, its kernel, systemd, Docker, and how many profiles AppArmor enforces. */
const describe = `grep PRETTY_NAME /etc/os-release
uname -sr
systemctl --version | head -n 1
docker --version
docker info --format '{{.Driver}} {{json .DriverStatus}}'
echo "AppArmor enforces $(aa-status --enforced) profiles"`;

interface Acceptance {
  /** The results of the smoke tests, none of which failed. */
  readonly smoke: readonly SmokeResult[];
  /** What was tested, in lines. */
  readonly facts: string;
}

/**
 * Waits for the first boot of a server, and runs its smoke tests and `landfall doctor`.
 * @param limit seconds for the first boot
 * @throws Error with the end of the console for a failed stage or a timeout, and with the names of
 * failed smoke tests and of faults
 */
export async function accept(server: AcceptanceServer, limit: number): Promise<Acceptance> {
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
  const doctor = await server.run('landfall doctor --json');
  const { findings } = diagnosis.parse(jsonIn(doctor.stdout));
  const found = findings.filter(({ code }) => faults.includes(code));
  if (found.length > 0) {
    const names = found.map(({ code, subject }) => `${code} ${subject}`);
    throw new Error(`landfall doctor found ${names.join(', ')}\n${doctor.stdout}`);
  }
  const { stdout: facts } = await server.run(describe);
  return { smoke: parsed.data as unknown as SmokeResult[], facts };
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
