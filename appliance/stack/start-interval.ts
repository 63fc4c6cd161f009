import type { Host } from '../host/host.ts';

/** The API of Docker 25, which is what Compose compares. */
const [knownFromMajor, knownFromMinor] = [1, 44];

/**
 * Whether Docker knows `start_interval` of health checks. Where it does not, Compose refuses to start
 * a stack that has it.
 * @throws LandfallError COMMAND_FAILED while Docker does not answer
 */
export async function knowsStartInterval(host: Host): Promise<boolean> {
  const { stdout } = await host.run('docker', ['version', '--format', '{{.Server.APIVersion}}']);
  const [major = 0, minor = 0] = stdout.split('.').map(Number);
  return major > knownFromMajor || (major === knownFromMajor && minor >= knownFromMinor);
}
