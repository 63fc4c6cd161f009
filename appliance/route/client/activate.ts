import { readText, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { ensureEnabled, isActive } from '../../host/systemd.ts';
import { configFile } from './render-config.ts';
import { clientUnit } from './render-unit.ts';

const unit = clientUnit('active');

/**
 * Makes a configuration the active one and restarts the client. If the client does not start, the
 * previous configuration becomes active again.
 * @returns whether the client runs with the new configuration
 */
export async function activate(host: Host, config: string): Promise<boolean> {
  const [active, previous] = [configFile('active'), configFile('previous')];
  const before = await readText(host, active);
  if (before === config && (await isActive(host, unit))) return true;
  if (before !== undefined && before !== config) {
    await writeText(host, previous, before, { mode: 0o600 });
  }
  await writeText(host, active, config, { mode: 0o600 });
  await ensureEnabled(host, unit);
  await host.succeeds('systemctl', ['restart', unit]);
  if (await isActive(host, unit)) return true;
  if (before === undefined || before === config) return false;
  await writeText(host, active, before, { mode: 0o600 });
  await host.succeeds('systemctl', ['restart', unit]);
  return false;
}
