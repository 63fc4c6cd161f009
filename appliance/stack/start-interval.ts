import type { Host } from '../host/host.ts';

/** API version of Docker 25. Compose checks the API version too. */
const [knownFromMajor, knownFromMinor] = [1, 44];

/**
 * Returns whether Docker supports `start_interval` of health checks. Without support, Compose refuses
 * to start a stack that uses it.
 * @throws LandfallError COMMAND_FAILED when Docker does not respond
 */
export async function supportsStartInterval(host: Host): Promise<boolean> {
  const { stdout } = await host.run('docker', ['version', '--format', '{{.Server.APIVersion}}']);
  const [major = 0, minor = 0] = stdout.split('.').map(Number);
  return major > knownFromMajor || (major === knownFromMajor && minor >= knownFromMinor);
}
